/** What is kept of a login at a server: who we are there, what lets us in, and where it is made fresh. */
export interface ServerLogin {
  /** The address that it is for. A server of the same name with another address is another one. */
  readonly url: string;
  /** As the client of the protocol gives it and takes it back. */
  readonly client?: object;
  readonly tokens?: { readonly access_token: string; readonly refresh_token?: string | undefined };
  readonly discovery?: object;
}

/** The logins of a home, by the name of the server. Nothing rejects. */
export interface ServerLogins {
  read(server: string): Promise<ServerLogin | undefined>;
  /** False: it could not be kept. */
  write(server: string, login: ServerLogin): Promise<boolean>;
  /** False: there was none. */
  remove(server: string): Promise<boolean>;
}

export interface LoginPlace {
  readonly name: string;
  readonly url: string;
  readonly logins: ServerLogins;
}
