import { parseTemplate, struct } from '@cuebook/template';

/**
 * Templates that are hard to get right twice: bytes that are no text, `printf`, loops, errors with positions. By
 * both back ends, in Node and in a browser; the answers are equal.
 */
export function scenario(): { readonly answers: readonly unknown[] } {
  const data = struct('agent.Context', { Name: 'héé 🙂', Tools: ['b', 'a'], Count: 3 });
  const answers = TEXTS.flatMap((text) =>
    (['code', 'closures'] as const).map((engine) => {
      const template = parseTemplate({ name: 't', text, engine });
      if (!template.ok) return template.error;
      const rendered = template.value.render(data);
      if (!rendered.ok) return rendered.error;
      const { text: out, bytes, spans } = rendered.value;
      return { out, bytes: [...bytes], spans };
    }),
  );
  return { answers };
}

const TEXTS = [
  '{{.Name}} {{len .Name}} {{slice .Name 0 2 | printf "%q"}}{{slice .Name 0 2}}',
  '{{range $i, $t := .Tools}}{{if $i}}, {{end}}{{$t | printf "%-4s|%x" $t}}{{else}}none{{end}}',
  '{{define "T"}}[{{.}}]{{end}}{{template "T" .Count}}{{printf "%05d %6.2f %U" .Count 1.5 128578}}',
  'é {{.Nope}}',
  '{{if}}',
  '{{range 9223372036854775807}}{{end}}',
];
