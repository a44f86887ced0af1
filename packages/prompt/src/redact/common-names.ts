/**
 * Names that are also ordinary words or everybody's account. They count only inside a home path: `root cause`
 * survives a user called root, `src/app/main.ts` survives one called app.
 */
export const isCommonName = (lower: string): boolean => COMMON.has(lower);

const COMMON: ReadonlySet<string> = new Set(
  (
    'root user users admin admins administrator ubuntu debian fedora centos alpine arch linux windows darwin macos ' +
    'runner runneradmin node nodejs python golang docker podman container containers kubernetes localhost localdomain ' +
    'local home host hostname server servers client test tests tester testing guest public private default docker git ' +
    'github gitlab jenkins travis circleci build builder builds agent agents bot bots robot claude codex copilot ' +
    'cursor gemini openai assistant system systemd service services worker workers daemon nobody www-data nginx ' +
    'apache httpd mysql postgres postgresql redis mongo mongodb oracle hadoop spark airflow elastic grafana backup ' +
    'vagrant ec2-user azureuser codespace vscode coder gitpod devbox develop developer developers development dev ' +
    'production staging deploy deployer deployment operator owner student students teacher workspace workspaces ' +
    'project projects work worker desktop laptop notebook macbook macbook-pro macbook-air macbookpro macbookair ' +
    'mac-mini macmini mac-studio imac computer machine workstation router gateway cloud master main data media ' +
    'storage office house store shared share files folder temp cache proxy cluster node01 primary secondary ' +
    'internal external example sample demo debug release staff people person human username yourname name path ' +
    'group member members manager model models prompt removed credential domain network ' +
    'grace frank april chase hunter summer carol daisy faith mason archer olive pearl ' +
    'robin cliff dean drew grant lance miles price reed rusty sandy skip stone sterling ' +
    'violet wade walker ward amber angel autumn brook brooks candy charity cherry christian crystal dawn destiny ' +
    'earnest forest ginger harmony hazel heather honor ivory justice melody mercy misty patience penny precious ' +
    'prince queen raven river royal ruby sunny trinity victor winter baker butler clark cook fisher ' +
    'gardner mercer miller porter potter sawyer shepherd singer smith turner weaver white black brown green ' +
    'young short long field fields forest bridge london paris berlin phoenix ' +
    'virginia kelvin newton pascal watts haskell julia swift ' +
    'ruby perl rails django flask react angular svelte mercury venus saturn jupiter neptune pluto apollo athena zeus'
  ).split(/\s+/),
);
