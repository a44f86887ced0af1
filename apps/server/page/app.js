import { badge, button, el, fill, keyed, read, request, setText, toast, waitingCard } from './view.js';
import { ask, follow, takeToken } from './wire.js';

const main = document.getElementById('main');
const connection = document.getElementById('connection');
let leave = new AbortController();

/** Shows what the address names. */
async function show() {
  leave.abort();
  leave = new AbortController();
  const { signal } = leave;
  connection.textContent = '';
  if (!takeToken()) {
    main.replaceChildren(
      el('h1', {}, 'This page needs its link'),
      el('p', {}, 'Open the link that the server prints when it starts: it holds the token of this server.'),
    );
    return;
  }
  const run = /^#\/run\/(run_[\w-]+)$/.exec(location.hash)?.[1];
  try {
    await (run === undefined ? showRuns(signal) : showRun(run, signal));
  } catch (error) {
    if (signal.aborted) return;
    main.replaceChildren(el('h1', {}, 'That did not work'), el('p', {}, error.message));
  }
}

async function showRuns(signal) {
  const [{ runs }, { approvals }, { teams }] = await Promise.all([
    ask('/runs?kind=team'),
    ask('/approvals'),
    ask('/teams'),
  ]);
  // Somebody has gone on to another page meanwhile.
  if (signal.aborted) return;
  const goal = el('input', { placeholder: 'Goal, if not the one of the file', ariaLabel: 'Goal' });
  const start = (file) => async () => {
    const { run } = await ask('/runs', { team: { file }, ...(goal.value && { goal: goal.value }) });
    location.hash = `#/run/${run}`;
  };
  main.replaceChildren(
    el('h1', {}, 'Runs'),
    el('p', { class: approvals.length > 0 ? 'waiting' : 'quiet' }, waitingText(approvals.length)),
    ...approvals.filter(({ kind }) => kind !== 'team').map(waitingCard),
    ...runs.map((each) =>
      el(
        'article',
        { class: each.needs > 0 ? 'card needs' : 'card' },
        el(
          'div',
          { class: 'row spread' },
          el('h3', {}, el('a', { href: `#/run/${each.run}` }, each.goal ?? each.run)),
          el('span', { class: 'row' }, each.rehearsal ? badge('rehearsal') : null, badge(each.status)),
        ),
        el(
          'p',
          { class: 'quiet' },
          `${each.nodes} nodes, ${each.turns} turns, ${new Date(each.startedAt).toLocaleString()}`,
          each.needs > 0 ? ` · ${each.needs} waiting for you` : '',
        ),
      ),
    ),
    el('h2', {}, 'Start a team'),
    teams.length === 0
      ? el('p', { class: 'quiet' }, 'The project has no team file yet.')
      : el('div', { class: 'row' }, goal, ...teams.map((file) => button(`Start ${file}`, start(file)))),
  );
}

const waitingText = (count) => (count === 0 ? 'Nothing waits for you.' : `${count} waiting for you.`);

async function showRun(run, signal) {
  const parts = {
    head: el('section', { class: 'card' }),
    needs: el('section', { ariaLabel: 'What waits for you' }),
    nodes: el('section', { ariaLabel: 'Nodes' }),
    turns: el('section', { ariaLabel: 'Turns' }),
  };
  const state = { run, live: new Map(), parts, view: await ask(`/runs/${run}`) };
  if (signal.aborted) return;
  main.replaceChildren(
    parts.head,
    el('h2', {}, 'Waits for you'),
    parts.needs,
    el('h2', {}, 'Nodes'),
    parts.nodes,
    el('h2', {}, 'Turns'),
    parts.turns,
  );
  await paint(state);
  let isDue = false;
  const refresh = () => {
    if (isDue) return;
    isDue = true;
    setTimeout(async () => {
      isDue = false;
      if (signal.aborted) return;
      try {
        state.view = await ask(`/runs/${run}`);
        await paint(state);
      } catch (error) {
        toast(error.message);
      }
    }, 150);
  };
  state.refresh = refresh;
  follow(run, {
    after: state.view.seq,
    signal,
    onEvent(event) {
      if (event.type === 'turn.started') state.live.set(event.data.node, '');
      refresh();
    },
    onLive({ node, event }) {
      if (event.type === 'text.delta') speak(state, node, event.text);
      if (event.type === 'tool.start') speak(state, node, `\n[${event.name}]\n`);
      if (event.type === 'log' && event.level === 'error') speak(state, node, `\n${event.text}\n`);
    },
    onState: (text) => setText(connection, text),
  }).catch((error) => toast(error.message));
}

function speak(state, node, text) {
  const said = ((state.live.get(node) ?? '') + text).slice(-20_000);
  state.live.set(node, said);
  const place = state.parts.nodes.querySelector(`[data-key="${CSS.escape(node)}"] .said`);
  if (place === null) return;
  place.textContent = said;
  place.scrollTop = place.scrollHeight;
}

async function paint(state) {
  const { run, view, parts } = state;
  const { turns } = await ask(`/runs/${run}/turns?limit=60`);
  const names = new Map(view.nodes.map((node) => [node.id, node.alias ?? node.label]));
  paintHead(state);
  const needs = view.needs.length === 0 ? [{ kind: 'none' }] : view.needs;
  keyed(parts.needs, needs, { key: needKey, make: (need) => needCard(state, need, names) });
  keyed(parts.nodes, view.nodes, {
    key: ({ id }) => id,
    make: (node) => nodeCard(state, node),
    update: (card, node) => updateNode(state, card, node, turns),
  });
  keyed(parts.turns, turns, {
    key: ({ turn, reason, diff }) => `${turn} ${reason} ${diff?.hash}`,
    make: (turn) => turnRow(state, turn, names),
  });
}

function paintHead({ run, view, parts, refresh }) {
  const act =
    (name, body = {}) =>
    async () => {
      await ask(`/runs/${run}/${name}`, body);
      refresh?.();
    };
  const isOver = ['completed', 'failed', 'stopped'].includes(view.status);
  const { budget } = view;
  fill(
    parts.head,
    el(
      'div',
      { class: 'row spread' },
      el('h1', {}, view.goal ?? run),
      el('span', { class: 'row' }, view.rehearsal ? badge('rehearsal') : null, badge(view.status)),
    ),
    view.rehearsal
      ? el('p', { class: 'rehearsal' }, 'A rehearsal: a script speaks here, not a model.')
      : null,
    el('p', { class: 'quiet' }, `${run} · ${view.mode} · ${view.globalMode}`),
    ...view.done.map((text) => el('p', { class: 'quiet' }, `Done when: ${text}`)),
    view.result ? el('p', {}, `${view.result.ok ? 'Done' : 'Not done'}: ${view.result.summary}`) : null,
    budget
      ? el(
          'p',
          { class: 'quiet' },
          `${budget.turns.spent} of ${budget.turns.limit} turns · ${budget.tokens.spent} of ${budget.tokens.limit} tokens`,
          budget.usd.limit === null ? '' : ` · $${budget.usd.spent} of $${budget.usd.limit}`,
        )
      : null,
    isOver
      ? null
      : el(
          'div',
          { class: 'row' },
          view.status === 'paused'
            ? button('Resume', act('resume'), { class: 'main' })
            : button('Pause', act('pause')),
          button('Stop', act('stop')),
        ),
  );
}

const needKey = (need) =>
  need.kind === 'approval'
    ? need.approval.id
    : `${need.kind} ${need.node ?? need.effect ?? ''} ${need.hold?.message ?? need.pause?.message ?? ''}`;

function needCard(state, need, names) {
  const { run } = state;
  const done = (work) => async () => {
    await work();
    state.refresh?.();
  };
  if (need.kind === 'none') return el('p', { class: 'quiet' }, 'Nothing.');
  if (need.kind === 'approval') return approvalCard(state, need.approval, names);
  if (need.kind === 'hold')
    return el(
      'article',
      { class: 'card needs' },
      el('h3', {}, names.get(need.node) ?? need.node),
      el('p', {}, need.hold.message),
      button(
        'Go on',
        done(() => ask(`/runs/${run}/nodes/${need.node}/resume`, {})),
        { class: 'main' },
      ),
    );
  if (need.kind === 'outcome')
    return el(
      'article',
      { class: 'card needs' },
      el('h3', {}, names.get(need.node) ?? 'A step'),
      el('p', {}, 'The server was ended while this was being done. Nobody knows whether it was.'),
      button(
        'It was not done: do it again',
        done(() => ask(`/runs/${run}/doubts/${need.effect}`, { outcome: 'not-done' })),
      ),
      button(
        'It was done: go on without its answer',
        done(() =>
          ask(`/runs/${run}/doubts/${need.effect}`, {
            outcome: {
              ok: false,
              error: { code: 'E_UNKNOWN_OUTCOME', message: 'A person said that it was done.' },
            },
          }),
        ),
      ),
    );
  return el('article', { class: 'card needs' }, el('p', {}, need.pause.message));
}

function approvalCard({ run, refresh }, approval, names) {
  const answer = (body) => async () => {
    await ask(`/runs/${run}/approvals/${approval.id}`, body());
    refresh?.();
  };
  const words = el('input', { placeholder: 'Why not (the agent reads it)', ariaLabel: 'Why not' });
  const changed = el('textarea', {
    value: JSON.stringify(approval.input, null, 2),
    ariaLabel: 'The changed input',
  });
  return el(
    'article',
    { class: 'card needs approval' },
    el('h3', {}, `${names.get(approval.node) ?? approval.alias ?? 'A node'} asks: ${approval.tool}`),
    approval.reason ? el('p', { class: 'quiet' }, approval.reason) : null,
    request(approval),
    el(
      'div',
      { class: 'row' },
      button(
        'Allow',
        answer(() => ({ decision: 'allow' })),
        { class: 'main' },
      ),
      button(
        'Allow this kind for the rest of the run',
        answer(() => ({ decision: 'allow', grant: true })),
      ),
    ),
    el(
      'div',
      { class: 'row' },
      words,
      button(
        'Deny',
        answer(() => ({ decision: 'deny', ...(words.value && { message: words.value }) })),
      ),
    ),
    el(
      'details',
      {},
      el('summary', {}, 'Change it'),
      changed,
      button(
        'Do this instead',
        answer(() => ({ decision: 'change', input: JSON.parse(changed.value) })),
      ),
    ),
  );
}

function nodeCard(state, node) {
  const at = `/runs/${state.run}/nodes/${node.id}`;
  const words = el('input', { placeholder: `Message to ${node.alias ?? node.label}`, ariaLabel: 'Message' });
  const say = (interrupt) => async () => {
    if (words.value === '') return;
    await ask(`${at}/message`, { text: words.value, interrupt });
    words.value = '';
    state.refresh?.();
  };
  const act = (name) => async () => {
    await ask(`${at}/${name}`, {});
    state.refresh?.();
  };
  return el(
    'article',
    { class: 'card node' },
    el('div', { class: 'row spread' }, el('h3', {}, node.label), el('span', { class: 'row state' })),
    el('p', { class: 'quiet about' }),
    el('p', { class: 'waiting held' }),
    el('pre', { class: 'said', tabIndex: 0 }),
    el(
      'div',
      { class: 'row act' },
      words,
      button('Send', say(false)),
      button('Send now, interrupting', say(true)),
    ),
    el('div', { class: 'row act' }, button('Interrupt', act('interrupt')), button('Reset', act('reset'))),
  );
}

function updateNode(state, card, node, turns) {
  const phase = node.work === null ? '' : `, ${node.work.phase}`;
  const where = [node.alias, node.role, node.model ? `${node.provider} ${node.model}` : node.provider].filter(
    Boolean,
  );
  const count = node.inbox.length + node.messages.length;
  card.classList.toggle('over', ['completed', 'failed', 'stopped'].includes(state.view.status));
  const status = card.querySelector('.state');
  if (status.textContent !== node.status) status.replaceChildren(badge(node.status));
  setText(
    card.querySelector('.about'),
    `${where.join(' · ')}${phase}${count > 0 ? ` · ${count} waiting` : ''}`,
  );
  setText(
    card.querySelector('.held'),
    node.hold?.message ?? (node.verification ? `The checks fail: ${node.verification}` : ''),
  );
  const last = turns.find((turn) => turn.node === node.id && turn.text !== null);
  const said = state.live.get(node.id) || (last?.text ?? '');
  setText(card.querySelector('.said'), said);
}

function turnRow({ run }, turn, names) {
  const { diff } = turn;
  const prompt = async () => {
    const told = await ask(`/runs/${run}/turns/${turn.turn}`);
    const blocks = told.full.blocks
      .map(({ name, role, text }) => `── ${name} (${role})\n${text}`)
      .join('\n\n');
    const parts = [
      ['The full prompt', told.full.text],
      ['In blocks', blocks],
      ...(told.delta ? [['What was sent', told.delta.text]] : []),
    ];
    read(`Prompt of turn ${turn.number} · ${told.full.hash.slice(0, 19)}`, parts);
  };
  const changes = async () => {
    const { text } = await ask(`/runs/${run}/artifacts/${diff.artifact}`);
    read(`What turn ${turn.number} changed`, [['Diff', text, true]]);
  };
  return el(
    'div',
    { class: 'row spread turn' },
    el(
      'span',
      {},
      `${turn.number}. ${names.get(turn.node) ?? turn.node} `,
      el('span', { class: turn.reason === 'failed' ? 'failed' : 'quiet' }, turn.reason ?? 'at work'),
      el('span', { class: 'quiet' }, turn.error ? ` ${turn.error.message}` : ''),
      el(
        'span',
        { class: 'quiet' },
        diff === null || diff.files.length === 0 ? '' : ` · ${diff.files.join(', ')}`,
      ),
      el(
        'span',
        { class: 'failed' },
        turn.flagged.length > 0 ? ` · set aside: ${turn.flagged.join(', ')}` : '',
      ),
    ),
    el('span', { class: 'row' }, button('Prompt', prompt), diff?.artifact ? button('Diff', changes) : null),
  );
}

addEventListener('hashchange', show);
show();
