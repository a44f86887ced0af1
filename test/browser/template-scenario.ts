import { bytes, newTemplate, parseTemplate, signed, struct, uint16 } from '@cuebook/template';

/**
 * Templates that are hard to get right twice: bytes that are no text, `printf`, loops, methods, sets of templates,
 * errors with positions. By both back ends, in Node and in a browser; the answers are equal.
 */
export function scenario(): { readonly answers: readonly unknown[] } {
  const data = struct(
    'agent.Context',
    {
      Name: 'héé 🙂',
      Tools: ['b', 'a'],
      Count: 3,
      Port: uint16(8080),
      Raw: bytes(new Uint8Array([255, 104])),
    },
    { Greet: signed(['string'], (word: string) => `${word}!`) },
  );
  const answers = TEXTS.flatMap((text) =>
    (['code', 'closures'] as const).map((engine) => {
      const template = newTemplate('t', { engine }).parse(text);
      if (!template.ok) return template.error;
      const rendered = template.value.clone().execute(data);
      if (!rendered.ok) return rendered.error;
      const { text: out, bytes: raw, spans } = rendered.value;
      return { out, bytes: [...raw], spans };
    }),
  );
  const one = parseTemplate({ name: 't', text: '{{.Name}}' });
  const rendered = one.ok ? one.value.render(data) : one;
  return { answers: [...answers, rendered.ok ? rendered.value.text : rendered.error] };
}

const TEXTS = [
  '{{.Name}} {{len .Name}} {{slice .Name 0 2 | printf "%q"}}{{slice .Name 0 2}}',
  '{{range $i, $t := .Tools}}{{if $i}}, {{end}}{{$t | printf "%-4s|%x" $t}}{{else}}none{{end}}',
  '{{define "T"}}[{{.}}]{{end}}{{template "T" .Count}}{{printf "%05d %6.2f %U" .Count 1.5 128578}}',
  '{{.Port}} {{printf "%T %x %s" .Port .Raw .Raw}} {{.Greet "hi"}}',
  'é {{.Nope}}',
  '{{if}}',
  '{{range 9223372036854775807}}{{end}}',
];
