import { holdsCredential } from './content.js';
import { isDataName } from './names.js';

/**
 * Whether a file is called as the settings of a tool are in which people write down how they sign in, and holds such
 * words. Many of these files have none, and stay. Names are folded and
 * without the marks of a copy.
 */
export const isSignIn = (name: string, folder: string, head: string): boolean =>
  (NAMES.has(name) || SHAPES.test(name) || (FOLDERS.has(folder) && isDataName(name))) && holdsSignIn(head);

/** Folders of assistants and editors: everything in them may be settings with a key. */
const FOLDERS: ReadonlySet<string> = new Set(
  '.continue .cody .cursor .windsurf .roo .cline .zed .goose .kilocode .trae .idea .vscode .fleet .gemini .codex .qwen .crush'.split(
    ' ',
  ),
);

const NAMES: ReadonlySet<string> = new Set(
  `
  .yarnrc.yml .yarnrc auth.json nuget.config settings.xml gradle.properties cqlshrc pg_service.conf .pg_service.conf odbc.ini my.cnf
  my.ini .psqlrc .mongorc.js .mongoshrc.js tnsnames.ora sqlnet.ora pip.conf pip.ini .condarc condarc .gemrc gemrc bunfig.toml
  .bunfig.toml uv.toml poetry.toml .gitconfig .lftprc .hgrc mercurial.ini .aider.conf.yml mcp.json .mcp.json mcp_config.json
  mcp-config.json mcp_settings.json cline_mcp_settings.json claude_desktop_config.json opencode.json .continuerc.json inventory hosts
  hosts.ini hosts.yml hosts.yaml inventory.ini inventory.yml inventory.yaml group_vars host_vars wp-config.php config.inc.php
  localsettings.php settings.local.php configuration.php env.php parameters.yml parameters.yaml parameters.ini database.yml
  database.yaml databases.yml mongoid.yml cable.yml storage.yml profiles.yml connections.toml alembic.ini liquibase.properties
  flyway.conf flyway.toml web.config app.config connectionstrings.config tomcat-users.xml context.xml server.xml standalone.xml
  datasources.xml hibernate.cfg.xml persistence.xml unattend.xml autounattend.xml sysprep.inf sysprep.xml groups.xml scheduledtasks.xml
  services.xml printers.xml drives.xml .muttrc muttrc neomuttrc .neomuttrc .mailrc aerc.conf accounts.conf sendmail.mc sasl_passwd
  fstab auto.master smb.conf smbcredentials .mountcredentials ldap.conf ldaprc .ldaprc sssd.conf nslcd.conf krb5.conf shadow gshadow
  shadow- gshadow- passwd opasswd users.xml users.conf manager.conf ari.conf sip.conf pjsip.conf snmpd.conf snmp.conf redis.conf sentinel.conf users.acl
  mosquitto.conf pwfile rabbitmq.conf definitions.json haproxy.cfg pgbouncer.ini userlist.txt pgpool.conf pcp.conf turnserver.conf
  prosody.cfg.lua ejabberd.yml homeserver.yaml ddclient.conf inadyn.conf lego.env certbot.ini cloudflare.ini cli.ini dns.ini
  grafana.ini alertmanager.yml prometheus.yml datadog.yaml newrelic.yml newrelic.ini newrelic.js appsignal.yml telegraf.conf
  filebeat.yml logstash.yml kibana.yml elasticsearch.yml fluent.conf td-agent.conf vector.toml config.toml daemon.json registries.conf
  registries.yaml jfrog-cli.conf aws.json azure.json gce.ini s3.json backend.tfvars backend.hcl terraform.rc .terraformrc
  .vscode-settings.json sftp.json .ftppass .ftpquota ftp.json deploy.json .deployrc deployer.yml servers.xml bookmarks.xml
  `
    .trim()
    .split(/\s+/),
);

const SHAPES =
  /^(?:appsettings|connectionstrings)(?:[-_.][\w-]+)*\.json$|^(?:application|bootstrap)(?:-[\w-]+)?\.(?:ya?ml|properties)$|^local[-_.]?settings\.(?:json|py|php)$|.\.(?:rdp|rdg|dsn|udl|rdo|ica|vpn|pcf|mobileconfig)$|^.+-ds\.xml$|^(?:sam|security|system)(?:\.(?:sav|hive|hiv))?$|^cookies$/;

/**
 * Whether some word in a file signs somebody in: an assignment, the password of an address, an element or an attribute
 * that is called so, an entry of an array, the hash of a login, a hive of passwords, a store of cookies.
 */
export const holdsSignIn = (head: string): boolean =>
  holdsCredential(head) || FORMS.some((form) => form.test(head));

const SECRET =
  '(?:pass(?:word|wd|phrase)?|pwd|psk|secret|token|api[-_.]?key|access[-_.]?key|auth[-_.]?key|masterauth)';
/** A value of one word with a digit in it, as no sentence or reference to another place is. */
const VALUE = String.raw`(?=[^\s"'<>;&]{0,80}\d)[^\s"'<>;&#$%{}()[\]]{6,}`;

const FORMS: readonly RegExp[] = [
  /:\/\/[^\s:/@"'<>]{1,80}:(?!\$|%|\{|<|\*|([^@])\1{2,}@)[^\s:/@"'<>{}$]{4,120}@[\w[]/,
  new RegExp(String.raw`<[\w.:-]{0,40}${SECRET}s?>(?:\s{0,40}<value>)?\s{0,40}${VALUE}`, 'i'),
  new RegExp(String.raw`\bc?${SECRET}\s{0,4}=\s{0,4}["']${VALUE}["']`, 'i'),
  new RegExp(String.raw`["'][\w.:-]{0,40}${SECRET}["'][^\n"']{0,20}\bvalue\s{0,4}=\s{0,4}["']${VALUE}`, 'i'),
  new RegExp(
    String.raw`["'][\w.:-]{0,40}${SECRET}["']\s{0,4}(?:,|=>|:|\]\s{0,4}=)\s{0,4}["']${VALUE}["']`,
    'i',
  ),
  new RegExp(String.raw`(?:^|[\s;"',{])[\w.-]{0,40}${SECRET}\s{0,4}=\s{0,4}["']?${VALUE}`, 'im'),
  new RegExp(String.raw`^[ \t]*(?:- )?[\w.-]{0,40}${SECRET}[ \t]{1,8}["']?${VALUE}["']?[ \t]*$`, 'im'),
  // Tables of Composer and of container registries.
  /"(?:github-oauth|gitlab-token|bearer|bitbucket-oauth)"\s{0,9}:\s{0,9}\{\s{0,40}"[^"]{1,80}"\s{0,9}:\s{0,9}["{]/,
  /"auths"\s{0,9}:\s{0,9}\{[^}]{0,400}"auth"\s{0,9}:\s{0,9}"[A-Za-z0-9+/=]{8}/,
  // A token in the place of the path of an address of packages.
  /\/t\/[A-Za-z]{2}-(?=[\w-]*\d)[\w-]{8,}/,
  // Lines of logins and their hashes, and of users of a pool.
  /^[\w.-]{1,40}:[!*]{0,2}\$(?:1|2[aby]|5|6|7|y|gy|md5|sha1|argon2\w{1,2}|scrypt)\$[^:\s{}<%]{20}/m,
  new RegExp(String.raw`^"[^"\n]{1,60}" "(?:md5[\da-f]{32}|SCRAM-SHA-256\$[^"\n]{20,}|${VALUE})"$`, 'm'),
  /^user [^\s]{1,60} [^\n]{0,200}[>#][^\s]{6,}/m,
  /^[ \t]*password 51:b:[\dA-Fa-f]{16}/m,
  /^regf/,
  /^SQLite format 3/,
];
