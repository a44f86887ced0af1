import type { Procedure, Program, ProgramStep, RangeStep } from '../exec/program.js';
import { writeExpression, writeLoose } from './expression.js';
import { type CodeWriter, type Dot, fresh, held, line, name, writeTarget } from './writer.js';

/** The source of a program, and the table of what it holds. */
export interface ProgramSource {
  readonly source: string;
  readonly constants: readonly unknown[];
}

/**
 * Writes a program as JavaScript: the body of a function of the runtime `R` and the table `C`, which answers with
 * what runs the program on a state. Nothing of the template reaches the source but numbers and quoted strings.
 */
export function writeProgram(program: Program, runtime: readonly string[]): ProgramSource {
  const constants: unknown[] = [];
  const procedures = program.procedures.map((procedure, index) =>
    writeProcedure(procedure, index, constants),
  );
  const source = [
    '"use strict";',
    `const {${runtime.join(',')}}=R;`,
    ...procedures,
    'return (s)=>{s.out=p0(s,s.out,s.dot);};',
  ].join('\n');
  return { source, constants };
}

function writeProcedure({ steps, slots }: Procedure, index: number, constants: unknown[]): string {
  const flagged = new Set(loopSlots(steps));
  const writer: CodeWriter = {
    lines: [],
    constants,
    flagged,
    dot: { name: 'd', isPlain: 'dp', isInterface: 'false' },
    names: 0,
    breaks: [],
    continues: [],
  };
  for (const step of steps) writeStep(writer, step);
  const variables = Array.from({ length: slots - 1 }, (_, slot) => `v${slot + 1}`);
  const flags = [...flagged].map((slot) => `f${slot}=false`);
  const declared = ['v0=d', ...variables, ...flags].join(',');
  return `function p${index}(s,o,d){const P=s.pieces,dp=isPlain(d);let ${declared};\n${writer.lines.join('\n')}\nreturn o;}`;
}

/** The slots that loops give an element to. */
function* loopSlots(steps: readonly ProgramStep[]): Iterable<number> {
  for (const step of steps) {
    if (step.op === 'range' && step.element) yield* step.element.slots;
    if (step.op === 'range' || step.op === 'branch') {
      yield* loopSlots(step.list);
      yield* loopSlots(step.otherwise);
    }
  }
}

function writeStep(writer: CodeWriter, step: ProgramStep): void {
  switch (step.op) {
    case 'text':
      // The tree has the text already: the source need not repeat it.
      line(writer, `o+=${held(writer, step.text)};P.push(${step.site},o.length);`);
      return;
    case 'print':
      writePrint(writer, step);
      return;
    case 'run':
      writeExpression(writer, step.value);
      return;
    case 'branch':
      writeBranch(writer, step);
      return;
    case 'range':
      writeRange(writer, step);
      return;
    case 'template':
      writeTemplate(writer, step);
      return;
    case 'break':
      line(writer, `break ${writer.breaks.at(-1)};`);
      return;
    case 'continue':
      line(writer, `continue ${writer.continues.at(-1)};`);
  }
}

/** A list of steps, with a dot of its own. */
function writeList(writer: CodeWriter, steps: readonly ProgramStep[], dot: Dot = writer.dot): void {
  const outer = writer.dot;
  writer.dot = dot;
  for (const step of steps) writeStep(writer, step);
  writer.dot = outer;
}

/** Makes a value the dot of what is written next. */
function newDot(writer: CodeWriter, value: string, isInterface: string): Dot {
  const isPlain = fresh(writer, 'q');
  line(writer, `const ${isPlain}=isPlain(${value});`);
  return { name: value, isPlain, isInterface };
}

function writePrint(writer: CodeWriter, { site, value }: Extract<ProgramStep, { op: 'print' }>): void {
  line(writer, '{');
  const text = name(writer, writeLoose(writer, value));
  line(writer, `o+=typeof ${text}==="string"?${text}:textOf(s,${text},${site});P.push(${site},o.length);}`);
}

function writeBranch(writer: CodeWriter, step: Extract<ProgramStep, { op: 'branch' }>): void {
  // What the pipeline declares stands in slots; the block is for its temporary names.
  line(writer, '{');
  const value = name(writer, writeLoose(writer, step.value));
  line(writer, `if(isTrue(${value})){`);
  if (step.isWith) writeList(writer, step.list, newDot(writer, value, 'false'));
  else writeList(writer, step.list);
  if (step.otherwise.length > 0) {
    line(writer, '}else{');
    writeList(writer, step.otherwise);
  }
  line(writer, '}}');
}

function writeRange(writer: CodeWriter, step: RangeStep): void {
  const [rounds, at, item, label] = ['r', 'i', 'd', 'L'].map((prefix) => fresh(writer, prefix)) as [
    string,
    string,
    string,
    string,
  ];
  line(writer, '{');
  const value = writeLoose(writer, step.value);
  line(writer, `const ${rounds}=roundsOf(s,${value},${step.index !== undefined});`);
  line(
    writer,
    `const ${rounds}n=${rounds}.count,${rounds}l=${rounds}.items,${rounds}k=${rounds}.keys,${rounds}f=${rounds}.isInterface;`,
  );
  line(writer, `${label}:for(let ${at}=0;${at}<${rounds}n;${at}++){step(s,o.length);`);
  line(writer, `const ${item}=${rounds}l!==undefined?(${rounds}l[${at}]??null):roundAt(${rounds},${at});`);
  if (step.index)
    writeTarget(writer, step.index, `(${rounds}k!==undefined?${rounds}k[${at}]:${at})`, 'false');
  if (step.element) writeTarget(writer, step.element, item, `${rounds}f`);
  writer.breaks.push(label);
  writer.continues.push(label);
  writeList(writer, step.list, newDot(writer, item, `${rounds}f`));
  writer.breaks.pop();
  writer.continues.pop();
  line(writer, '}');
  if (step.otherwise.length > 0) {
    // A `break` there leaves this range, a `continue` is of the one around.
    line(writer, `${label}e:if(${rounds}n<=0){`);
    writer.breaks.push(`${label}e`);
    writeList(writer, step.otherwise);
    writer.breaks.pop();
    line(writer, '}');
  }
  line(writer, '}');
}

function writeTemplate(writer: CodeWriter, step: Extract<ProgramStep, { op: 'template' }>): void {
  line(writer, `{s.at=${step.site};`);
  if (step.procedure === undefined) line(writer, `noTemplate(s,${JSON.stringify(step.name)});`);
  line(writer, 'checkDepth(s);');
  const value = step.value ? writeExpression(writer, step.value) : 'undefined';
  line(writer, 'step(s,o.length);s.depth++;');
  if (step.procedure !== undefined) {
    line(
      writer,
      `o=s.depth>SHALLOW?callDeep(s,o,${value},${step.procedure}):p${step.procedure}(s,o,${value});`,
    );
  }
  line(writer, 's.depth--;}');
}
