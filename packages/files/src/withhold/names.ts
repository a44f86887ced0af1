import { isStore } from './stores.js';

/** Why a file is withheld. */
export type WithheldKind = 'home' | 'git' | 'key' | 'environment' | 'ignored';

/**
 * Why a file or folder is withheld by its name and that of the folder it stands in, or undefined. Pure. The rules are
 * for what holds credentials by its name: folders and files of key tools, key files by their ending, environment
 * files. Examples and templates of environment files are not withheld. A copy that editors and people leave beside a
 * file (`.bak`, `~`, `.swp`) counts as the file.
 */
export function kindByName(name: string, folder: string | undefined): WithheldKind | undefined {
  const folded = foldName(name);
  if (folded === HOME_NAME) return 'home';
  if (folded === '.git') return 'git';
  const plain = withoutCopyMarks(folded);
  // The swap file of `.env` is `.env.swp`, and no file has a dot of its own there.
  if (isEnvironment(plain) || isEnvironment(folded)) return 'environment';
  return isKey(plain, folder === undefined ? '' : foldName(folder)) ? 'key' : undefined;
}

/** The default name of CUEBOOK_HOME: state of Cuebook, wherever it stands. */
const HOME_NAME = '.cuebook';

/** Words that mark a file as a secret by its name. They count for files that git ignores, and where the words say so too. */
export const isMarkedName = (name: string): boolean => MARKED.test(withoutCopyMarks(foldName(name)));

const MARKED =
  /(?:secrets?|credentials?|passwords?|passwd|passphrases?|tokens?|api[-_.]?keys?|private[-_.]?keys?)(?![a-z])|(?:^|[^a-z])auth(?![a-z])|\.tfvars(?:\.json)?$|^local\.settings\.json$/;

/** Whether a file by its name holds data or plain text: no code, no document, no template. */
export const isDataName = (name: string): boolean => {
  const plain = withoutCopyMarks(foldName(name));
  return DATA_ENDING.test(plain) || /^\.?[^.]+$/.test(plain);
};

const DATA_ENDING =
  /\.(?:ya?ml|json5?|jsonc|toml|ini|cfg|conf|config|properties|txt|csv|tsv|xml|plist|tfvars|env)$/;

/** Code of installed packages and of builds: git ignores it, and its words are those of any code. */
export function isInstalledCode(names: readonly string[]): boolean {
  const isInside = names.slice(0, -1).some((name) => MADE_FOLDERS.has(foldName(name)));
  return isInside && CODE_ENDING.test(foldName(names.at(-1) ?? ''));
}

const MADE_FOLDERS: ReadonlySet<string> = new Set(
  'node_modules bower_components vendor .venv venv site-packages dist build out target .next .nuxt coverage'.split(
    ' ',
  ),
);
const CODE_ENDING =
  /\.(?:[cm]?[jt]sx?|map|css|scss|html?|svg|md|pyi?|go|rs|java|kt|rb|php|cs?|h|hpp|cpp|vue|svelte|wat)$/;

/**
 * A name as the most forgiving file system takes it: letter case, Unicode form and characters without a shape mean
 * nothing, an alternate stream is its file, dots and blanks at the end go, and a short name of Windows is its file.
 */
export function foldName(name: string): string {
  const folded = name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replace(/(?<=.):.*$/s, '')
    .replace(/[. ]+$/, '');
  const short = /^([a-z]{2,6})~\d+(?:\.[a-z]{0,3})?$/.exec(folded)?.[1];
  return short === undefined ? folded : (SHORT_NAMES.get(short) ?? folded);
}

const KEY_FOLDERS =
  '.ssh .gnupg .aws .azure .kube .docker .gcloud .password-store .netrc .npmrc .pypirc .pgpass .oci .aliyun .bluemix .hcloud .ngrok2 .ngrok .cloudflared .snowflake .huggingface .kaggle .saml2aws .okta .ibmcloud .tailscale .electrum .bitcoin .ethereum .solana .near-credentials .kwallet .vnc .direnv .envs .supabase .planetscale .databricks .doctl .davfs2 .getmail .passwd-s3fs .cvspass .hgrc .pg_service.conf .odbc.ini .clojars .renviron';

/** `GIT~1` for `.git`: short names have no leading dot, and six characters before the tilde. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map(
  `.git ${HOME_NAME} .env .envrc ${KEY_FOLDERS}`
    .split(' ')
    .map((name) => [name.slice(1, 7).replace(/[^a-z]/g, ''), name] as const),
);

/** `.server.key.swp`, `#server.key#` and `server.key~` stand for `server.key`. */
export function withoutCopyMarks(name: string): string {
  const swapped = /^\.(.+)\.sw[a-p]$/.exec(name)?.[1] ?? /^(?:\.?#)(.+?)#?$/.exec(name)?.[1] ?? name;
  return swapped.replace(
    /(?:~|\.(?:bak|backup|old|orig|save|saved|copy|tmp)\d*|[ _-]copy|\(\d+\)|\.\d+)+$/,
    '',
  );
}

const isEnvironment = (name: string): boolean =>
  ENVIRONMENT.test(name) && !/(?:^|[._-])(?:example|sample|template|tmpl|dist)(?:\.env)?$/.test(name);

const ENVIRONMENT = /^\.env(?:rc)?(?:[^a-z0-9].*)?$|.\.env$|^\.dev\.vars(?:\..*)?$|^\.flaskenv$/;

function isKey(name: string, folder: string): boolean {
  if (KEY_NAMES.has(name) || KEY_ENDING.test(name) || HIDDEN_SHAPE.test(name)) return true;
  if (KEY_SHAPE.test(name) && !name.endsWith('.pub')) return true;
  return KEY_IN_FOLDER.has(`${folder}/${name}`) || isStore(name, folder);
}

const KEY_NAMES: ReadonlySet<string> = new Set(
  [
    KEY_FOLDERS,
    '_netrc .git-credentials .gitcookies .my.cnf .mylogin.cnf .htpasswd .dockercfg .s3cfg .boto .terraformrc',
    '.vault-token .rhosts .shosts .smbcredentials .msmtprc .fetchmailrc kubeconfig wallet.dat secring.gpg',
    'credentials.tfrc.json application_default_credentials.json access_tokens.db credentials.db',
    '.vault_pass .vault_pass.txt .vault-password pgpass.conf .dockerconfigjson terraform.rc settings-security.xml kaggle.json',
    '.credentials.json oauth_creds.json .databrickscfg .linode-cli .sentryclirc .snyk-token .xauthority .iceauthority',
    '.bash_history .zsh_history .sh_history .python_history .psql_history .mysql_history .sqlite_history .rediscli_history',
    '.node_repl_history .irb_history .dbshell kubeconfig.yaml kubeconfig.yml .lesshst .viminfo .influx_history',
    '.wgetrc .curlrc _curlrc .authinfo .mbsyncrc .offlineimaprc .esmtprc .erlang.cookie htpasswd .claude.json',
    'keystore.properties .rclone.conf rclone.conf .snowsql .s3curl sentry.properties clouds.yaml ngrok.yml',
    'logins.json key3.db key4.db cookies.sqlite filezilla.xml sitemanager.xml recentservers.xml sftp-config.json',
    '.ftpconfig .remote-sync.json winscp.ini private_key privatekey private-key mnemonic.txt tailscaled.state',
    'access-token access_token accesstokens.json token-cache.json msal_token_cache.json msal_token_cache.bin',
    'cwallet.sso master.passwd signons.sqlite chap-secrets pap-secrets ipsec.secrets wpa_supplicant.conf ntds.dit',
    'fish_history consolehost_history.txt mongosh_repl_history',
  ]
    .join(' ')
    .split(' '),
);

const KEY_ENDING =
  /.\.(?:pem|key|p12|pfx|pkcs12|p8|jks|jceks|bks|keystore|ppk|kdbx?|ovpn|keytab|agekey|kubeconfig|keychain(?:-db)?|keyring|kwl|ccache|tfstate|tfrc|publishsettings|nmconnection)$|^\.ovpn$/;

/** History of a shell or a prompt (`.zhistory`, `.octave_hist`), and hidden files that say what they hold. */
const HIDDEN_SHAPE = /^\.(?:[\w-]*hist(?:ory|file)?|(?:secrets?|credentials?|passwords?|tokens?)(?:\.\w+)?)$/;

const KEY_SHAPE =
  /^[\w.-]+_(?:rsa|dsa|ecdsa|ed25519)$|^wg\d+\.conf$|openrc\.sh$|vault[-_]pass(?:word)?(?:\.txt)?$|^utc--\d{4}-\d\d-|(?:^rootkey|(?:^|_)accesskeys)(?: ?\(\d+\))?\.csv$|(?:^|[-_.])id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[^a-z0-9].*)?$|^krb5cc_\w+$|^ssh_host_\w+_key$|(?:^|[-_.])kubeconfig(?:[-_][\w-]+)?(?:\.(?:ya?ml|json|conf|txt))?$|(?:^|[-_.])service[-_]?account(?:[-_.].*)?\.json$|^client_secrets?(?:[-_.].*)?\.json$|firebase-adminsdk.*\.json$/;

const KEY_IN_FOLDER: ReadonlySet<string> = new Set([
  '.config/gcloud',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.composer/auth.json',
  '.m2/settings.xml',
  '.gradle/gradle.properties',
  '.config/hub',
  '.config/op',
  '.config/rclone',
  '.config/sops',
  '.config/doctl',
  '.config/ngrok',
  '.config/anthropic',
  '.config/configstore',
  '.bundle/config',
  '.codex/auth.json',
  '.vercel/auth.json',
  '.circleci/cli.yml',
  '.travis/config.yml',
  '.dbt/profiles.yml',
  '.fly/config.yml',
  '.streamlit/secrets.toml',
  '.subversion/auth',
  '.openai/key',
  'huggingface/token',
  ...'gh glab-cli fly flyctl heroku netlify stripe pulumi .wrangler railway github-copilot containers hcloud scw exercism vercel turso databricks jira-cli cloudflare openai'
    .split(' ')
    .map((program) => `.config/${program}`),
  'containers/auth.json',
  'github-copilot/hosts.json',
  'github-copilot/apps.json',
  'git/credentials',
  'sops/age',
  'age/keys.txt',
  'etc/shadow',
  'etc/gshadow',
  'wireguard/private',
  '.pulumi/credentials.json',
  '.railway/config.json',
  '.chef/knife.rb',
  '.mc/config.json',
  '.hg/hgrc',
  'cvs/root',
  '.cassandra/cqlshrc',
  '.netlify/config.json',
  '.wrangler/config',
  '.expo/state.json',
  '.weechat/sec.conf',
  '.irssi/config',
  '.purple/accounts.xml',
  '.factory/auth.json',
  '.terraform/terraform.tfstate',
  'com.vercel.cli/auth.json',
  'opencode/auth.json',
  'amp/secrets.json',
  'pypoetry/auth.toml',
  'helm/registry',
  'io.datasette.llm/keys.json',
  'etc/shadow-',
  'etc/gshadow-',
]);
