/**
 * LemonLDAP::NG of Debian on loopback: its portal, without a web server, with its own configuration folder. Its demonstration
 * users are dwho, rtyler and msmith, each with their name as the password.
 */
// cspell:ignore rtyler msmith dwho liblemonldap libstring libio fastcgi MHTTP LLNG DEFAULTCONFFILE
import { execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../postgres/free-port.ts';

/** What apt installs. The second and third answer a dependency of the first; neither is started. */
export const lemonldapPackages = [
  ...['liblemonldap-ng-portal-perl', 'lemonldap-ng-fastcgi-server', 'mini-httpd'],
  ...['libstring-random-perl', 'libio-string-perl'],
];

export function hasLemonldap(): boolean {
  try {
    const modules = ['-MLemonldap::NG::Portal', '-MString::Random', '-MIO::String', '-MHTTP::Server::PSGI'];
    execFileSync('perl', [...modules, '-e', '1'], { stdio: 'ignore' });
    execFileSync('plackup', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export interface Lemonldap extends AsyncDisposable {
  issuer: string;
  log(): string;
}

interface Client {
  id: string;
  secret: string;
  redirectUri: string;
  returnTo: string;
}

export async function startLemonldap(client: Client): Promise<Lemonldap> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-lemonldap-'));
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}/`;
  writeFolder(folder, issuer, client);
  const child = spawn(
    'plackup',
    [
      ...['-I', join(folder, 'lib'), '--env', 'deployment', '--host', '127.0.0.1', '--port', String(port)],
      ...['-e', 'use Lemonldap::NG::Portal::Main; Lemonldap::NG::Portal::Main->run({})'],
    ],
    {
      env: { ...process.env, LLNG_DEFAULTCONFFILE: join(folder, 'lemonldap-ng.ini') },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text));
  const ended = once(child, 'close');
  const self: Lemonldap = {
    issuer,
    log: () => printed,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
  for (let tries = 0; tries < 300; tries++) {
    const reply = await fetch(`${issuer}.well-known/openid-configuration`).catch(() => undefined);
    if (reply?.ok) return self;
    if (child.exitCode !== null) break;
    await delay(100);
  }
  await self[Symbol.asyncDispose]();
  throw new Error(`LemonLDAP::NG does not start: ${printed}`);
}

function writeFolder(folder: string, issuer: string, { id, secret, redirectUri, returnTo }: Client): void {
  for (const name of ['conf', 'cache', 'sessions/lock', 'persistent/lock', 'lib/Lemonldap/NG/Portal/Captcha'])
    mkdirSync(join(folder, name), { recursive: true });
  // Its own needs an image library. It is loaded although no page has a captcha.
  writeFileSync(
    join(folder, 'lib/Lemonldap/NG/Portal/Captcha/None.pm'),
    'package Lemonldap::NG::Portal::Captcha::None;\nuse Mouse;\nextends "Lemonldap::NG::Portal::Main::Plugin";\nsub init { 1 }\n1;\n',
  );
  writeFileSync(
    join(folder, 'lemonldap-ng.ini'),
    `[all]
logLevel = notice
[configuration]
type=File
dirName = ${folder}/conf
localStorage=Cache::FileCache
localStorageOptions={'namespace'=>'c','default_expires_in'=>600,'directory_umask'=>'007','cache_root'=>'${folder}/cache','cache_depth'=>3}
[portal]
staticPrefix = /static
templateDir = /usr/share/lemonldap-ng/portal/templates
languages = en
`,
  );
  const storage = (name: string) => ({
    ...{ Directory: `${folder}/${name}`, LockDirectory: `${folder}/${name}/lock` },
    generateModule: 'Lemonldap::NG::Common::Apache::Session::Generate::SHA256',
  });
  const keys = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const rp = <T>(value: T) => ({ holdpoint: value });
  const configuration = {
    ...{ cfgNum: 1, cfgAuthor: 'test', cfgDate: '1', key: 'a key of a test', requireToken: 0 },
    ...{ portal: issuer, domain: '127.0.0.1', cookieName: 'lemonldap', securedCookie: 0 },
    ...{ authentication: 'Demo', userDB: 'Same', passwordDB: 'Demo', captcha: '::Captcha::None' },
    ...{ globalStorage: 'Apache::Session::File', globalStorageOptions: storage('sessions') },
    ...{ persistentStorage: 'Apache::Session::File', persistentStorageOptions: storage('persistent') },
    localSessionStorage: '',
    demoExportedVars: { cn: 'cn', mail: 'mail', uid: 'uid' },
    exportedVars: {},
    macros: { email_verified: '1' },
    groups: { finance: '$uid eq "dwho" or $uid eq "msmith"', legal: '$uid eq "dwho"' },
    locationRules: { '127.0.0.1': { default: 'accept' } },
    issuerDBOpenIDConnectActivation: 1,
    oidcServiceAllowAuthorizationCodeFlow: 1,
    oidcServiceKeyIdSig: 'key-1',
    oidcServicePrivateKeySig: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    oidcServicePublicKeySig: keys.publicKey.export({ type: 'spki', format: 'pem' }),
    oidcRPMetaDataOptions: rp({
      ...{ oidcRPMetaDataOptionsClientID: id, oidcRPMetaDataOptionsClientSecret: secret },
      ...{ oidcRPMetaDataOptionsRedirectUris: redirectUri, oidcRPMetaDataOptionsPostLogoutRedirectUris: returnTo },
      ...{ oidcRPMetaDataOptionsIDTokenSignAlg: 'RS256', oidcRPMetaDataOptionsBypassConsent: 1 },
      ...{ oidcRPMetaDataOptionsRequirePKCE: 1, oidcRPMetaDataOptionsLogoutBypassConfirm: 1 },
    }),
    oidcRPMetaDataExportedVars: rp({
      ...{ name: 'cn', email: 'mail', email_verified: 'email_verified;bool;auto', groups: 'groups;string;always' },
    }),
    oidcRPMetaDataOptionsExtraClaims: rp({ groups: 'groups' }),
  };
  writeFileSync(join(folder, 'conf/lmConf-1.json'), JSON.stringify(configuration));
}
