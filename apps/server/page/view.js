// Small pieces of the page. Text is only ever set as text: nothing that an agent says becomes markup.

/** An element with properties and children. */
export function el(tag, props = {}, ...children) {
  const { class: className, ...rest } = props;
  const made = Object.assign(document.createElement(tag), rest);
  if (className) made.className = className;
  made.append(...children.filter((child) => child !== undefined && child !== null));
  return made;
}

/** Puts these children in the place of all others. */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.filter((child) => child !== undefined && child !== null));
}

export const badge = (text) => el('span', { class: `badge ${text}` }, text);

/** A button that cannot be pressed twice at once, and shows what went wrong. */
export function button(text, work, props = {}) {
  const made = el('button', { type: 'button', ...props }, text);
  made.addEventListener('click', async () => {
    made.disabled = true;
    try {
      await work();
    } catch (error) {
      toast(error.message);
    } finally {
      made.disabled = false;
    }
  });
  return made;
}

/** Says something at the foot of the page. */
export function toast(text) {
  const place = document.getElementById('toast');
  place.textContent = text;
  place.hidden = false;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => {
    place.hidden = true;
  }, 8000);
}

/** Keeps one child per key: new ones are made, old ones stay as they are with what is typed in them, others go. */
export function keyed(parent, items, { key, make, update }) {
  const known = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  const wanted = items.map((item) => {
    const name = key(item);
    const child = known.get(name) ?? make(item);
    child.dataset.key = name;
    known.delete(name);
    update?.(child, item);
    return child;
  });
  for (const child of known.values()) child.remove();
  wanted.forEach((child, index) => {
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  });
}

/** Sets a text only when it is another one. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A patch with its lines coloured. */
export function patch(text) {
  const made = el('pre', { class: 'patch' });
  for (const line of text.split('\n')) {
    const kind = /^\+(?!\+\+)/.test(line) ? 'added' : /^-(?!--)/.test(line) ? 'removed' : '';
    made.append(el('span', { class: kind }, `${line}\n`));
  }
  return made;
}

/** What is to be done, as a person reads it: the very command, the very text, or the input as it is. */
export function request({ tool, input, changes }) {
  if (changes) return patch(changes.map(({ file, patch: lines }) => `${file}\n${lines}`).join('\n'));
  const command = typeof input === 'object' && input !== null ? (input.command ?? input.cmd) : undefined;
  if (typeof command === 'string') return el('pre', {}, `$ ${command}`);
  if (Array.isArray(command)) return el('pre', {}, `$ ${command.join(' ')}`);
  const path = input?.path ?? input?.file_path;
  const content = input?.content ?? input?.new_string;
  if (typeof path === 'string' && typeof content === 'string') {
    const old =
      typeof input.old_string === 'string' ? input.old_string.split('\n').map((line) => `-${line}`) : [];
    return patch([path, ...old, ...content.split('\n').map((line) => `+${line}`)].join('\n'));
  }
  return el('pre', {}, `${tool} ${JSON.stringify(input, null, 2)}`);
}

/** What waits in a workflow or a thread: in its own words, with the command that answers it in a terminal. */
export function waitingCard(row) {
  const { kind, target, run, input, reason, answers = [], command } = row;
  const asked = row.for === 'question' && typeof input?.message === 'string' ? input : undefined;
  return el(
    'article',
    { class: 'card needs' },
    el(
      'div',
      { class: 'row spread' },
      el('h3', {}, target ?? run),
      el('span', { class: 'row' }, badge(kind), badge(row.for)),
    ),
    asked || reason ? el('p', {}, asked?.message ?? reason) : null,
    typeof asked?.plan === 'string' ? el('pre', {}, asked.plan) : null,
    asked === undefined && row.tool ? request(row) : null,
    answers.length > 0 ? el('p', { class: 'quiet' }, `Answer with ${answers.join(', ')}`) : null,
    el('p', { class: 'quiet' }, 'In a terminal, in this project:'),
    el('pre', { class: 'command' }, command),
  );
}

/** Shows a long text, in one or several parts. */
export function read(title, parts) {
  const dialog = document.getElementById('reader');
  const place = document.getElementById('reader-text');
  const tabs = document.getElementById('reader-tabs');
  document.getElementById('reader-title').textContent = title;
  const show = ([, text, isPatch]) => place.replaceChildren(...(isPatch ? patch(text).childNodes : [text]));
  tabs.replaceChildren(...(parts.length > 1 ? parts.map((part) => button(part[0], () => show(part))) : []));
  show(parts[0]);
  dialog.showModal();
}

document
  .getElementById('reader-close')
  .addEventListener('click', () => document.getElementById('reader').close());
