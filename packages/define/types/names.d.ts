import '@cuebook/define';

// What a project says about itself, so that its names are types.
declare module '@cuebook/define' {
  interface Names {
    model: 'fast' | 'heavy';
    prompt: 'search' | 'rules';
    tool: 'look_up' | 'create_ticket';
    hook: 'short';
    agent: 'desk' | 'pair';
  }
}
