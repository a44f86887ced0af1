// Filters the list of pages by what is typed: titles and headings. Works without a server, so the index is a script.
const box = document.getElementById('find');
const found = document.getElementById('found');
const sections = document.getElementById('sections');
let loading;

box.addEventListener('input', async () => {
  loading ??= load(box.dataset.index);
  await loading;
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = globalThis.PAGES.filter(({ text }) =>
    words.every((word) => text.toLowerCase().includes(word)),
  );
  found.replaceChildren(...hits.slice(0, 30).map(item));
  found.hidden = words.length === 0;
  sections.hidden = words.length > 0;
});

function load(src) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    Object.assign(script, { src, onload: resolve, onerror: reject });
    document.head.append(script);
  });
}

function item({ url, text }) {
  const link = document.createElement('a');
  link.href = box.dataset.base + url;
  link.textContent = text;
  const row = document.createElement('li');
  row.append(link);
  return row;
}
