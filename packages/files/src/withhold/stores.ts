/**
 * Where programs keep the credentials of whoever signed in with them: folders and files that hold nothing else worth
 * reading. Names are folded.
 */
export const isStore = (name: string, folder: string): boolean =>
  STORES.has(name) || (HOLDERS.has(folder) && PROGRAMS.has(name)) || IN_FOLDER.has(`${folder}/${name}`);

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** What stands in a home folder, or in the folder of a project that a tool takes for one. */
const STORES: ReadonlySet<string> = new Set([
  ...words(`
    .acme.sh .lego .step .putty .pki .keybase .gopass .lastpass .lpass .rbw .1password .aws-sso .aws-vault .awsvault .granted .leapp
    .tsh .teleport .boundary .confluent .ccloud .jfrog .newrelic .earthly .lightning .modal.toml .runpod .ngc .vast_api_key .sgptrc
    .openai .anthropic .gcloud-service-key .softlayer .scwrc .ovh.conf .vultr-cli.yaml .civo.json .gandi.config .transip .upctl.yaml
    .rackspace_cloud_credentials .twilio-cli .contentfulrc.json .dogrc .pd.yml .upstash.json .influxdbv2 .mongodbatlas .bigqueryrc
    .comet.config .arcrc .tfrc .tfe .pause .consul-token .nomad-token .wakatime.cfg .imapfilter .isyncrc .netrc.gpg .authinfo.gpg
    .telnetrc .ftprc .ncftp .lftp .cadaverrc rsyncd.secrets .restic-password .borg-passphrase adbkey vagrant_login_token
    pub-credentials.json .snapcraft.login .launchpad_token .azure-devops .azuredevops azureprofile.json serviceprincipalprofile.json
    .apikey .api_key .api-key .apikeys .api_keys .access-token .access_token .auth-token .auth_token .bot-token .bot_token .pat
    .github_token .github-token .gitlab_token .gitlab-token .npm-token .npm_token .pypi-token .slack-token .hf_token .openai_api_key
    .anthropic_api_key .gemini_api_key .netlify-token .cloudflare-token .digitalocean-token kwalletd cert8.db cert9.db
    cookies.binarycookies
  `),
  'login data',
  'login data for account',
  'login data-journal',
]);

/** Folders in which each program has one of its own. */
const HOLDERS: ReadonlySet<string> = new Set(['.config', 'roaming', 'application support']);

/** Programs whose folder there holds a sign-in. */
const PROGRAMS: ReadonlySet<string> = new Set([
  ...words(`
    1password bitwarden op rbw gopass lpass lastpass keybase keepassxc enpass gspread wakatime sentry sentry-cli gcloud gh glab
    glab-cli hub lab tea heroku netlify stripe pulumi railway fly flyctl vercel com.vercel.cli turso neonctl planetscale supabase xata
    prisma-platform mongocli atlascli influx influxdb2 confluent snowflake databricks dbt linode-cli vultr-cli civo upctl exoscale ovh
    hcloud scw doctl ibmcloud oci aliyun argocd algolia contentful shopify shopify-cli-kit-nodejs sanity appwrite nhost twilio-cli
    postman insomnia datadog newrelic grafanactl pagerduty cloudflare wrangler .wrangler ngrok tailscale tsh teleport boundary
    azuredevops jira-cli jira .jira atlassian acli gitea earthly circleci snyk composer pypoetry hatch dart rebar3 configstore
    openai anthropic goose aichat shell_gpt io.datasette.llm cody amp opencode github-copilot codeium runpod vastai modal lightning
    comet huggingface kaggle ngc elevenlabs syncthing nextcloud rclone msmtp isync neomutt himalaya aerc hexchat weechat irssi
    profanity discord slack signal telegramdesktop filezilla remmina freerdp sops age containers solana near near-credentials
    exercism google-chrome chromium bravesoftware microsoft-edge coderv2
  `),
  'bitwarden cli',
  'telegram desktop',
]);

/** What is told by its name together with that of its folder. */
const IN_FOLDER: ReadonlySet<string> = new Set(
  words(`
    .llm/keys.json .amp/secrets.json .cody/config.json .hex/hex.config .lein/credentials.clj .lein/credentials.clj.gpg
    .jupyter/jupyter_server_config.json .pub-cache/credentials.json .gitlab-runner/config.toml .argocd/config .astro/config.yaml
    .codeium/config.json .qwen/oauth_creds.json .cline/secrets.json .goose/secrets.yaml .vagrant.d/data .puppetlabs/token
    .appstoreconnect/private_keys .luarocks/upload_config.lua huggingface/stored_tokens .coder/session code-server/config.yaml
    .jenkins/secrets letsencrypt/accounts letsencrypt/live letsencrypt/archive kubernetes.io/serviceaccount ssl/private pki/private
    library/keychains telegramdesktop/tdata share/remmina share/gopass share/keybase share/kwalletd .stripe/config.toml
    .twilio/config.json .minikube/certs .solana/id.json .lnd/macaroons
  `),
);
