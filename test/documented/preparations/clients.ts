/** The pages about clients, tokens and APIs. */
import { type Preparation, shownId } from './preparation.ts'

const serviceToken = `
SECRET=$(secret_of demo-service)
TOKEN=$(token demo-service "$SECRET" orders:read)`

const secret = 'a-secret-of-32-or-more-characters-long'

export const clientPages: Readonly<Record<string, Preparation>> = {
  'README.md': {
    at: 'server',
    before: `${serviceToken}
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -keyout key.pem -out cert.pem 2>/dev/null
openssl rand -base64 32 >master
echo 'scopes: []' >objects.yaml`,
    names: { '/run/secrets/master': '$PWD/master', 'postgres://…': '$DATABASE' },
  },
  'docs/machine-to-machine.md': { at: 'server', before: serviceToken },
  'docs/admin-api.md': {
    at: 'server',
    before: `SECRET=$(grantor client create admin --grant-type client_credentials --scope 'admin:clients:read admin:events:read' --json | member client_secret)`,
  },
  'docs/api-keys.md': {
    at: 'server',
    before: `
grantor client create export --grant-type client_credentials --scope orders:read
KEY=$(grantor api-key create --client export --resource $ORDERS --name first --scope orders:read --json | member key)`,
    names: { [shownId]: '$(grantor api-key list --json | member id)' },
  },
  'docs/api-check.md': {
    at: 'server',
    before: `${serviceToken}
SECRET=$(grantor client create checker --grant-type client_credentials --scope orders:read --json | member client_secret)`,
    names: { 'https://api.example/openapi.yaml': '$ORDERS/openapi.json' },
  },
  'docs/ciba.md': {
    at: 'server',
    before: `
grantor apply yaml-1.yaml
SECRET=${secret}
printf %s $SECRET >secret.txt`,
  },
  'docs/device-flow.md': {
    at: 'server',
    before: `sed 's/client_id: tv/client_id: my-cli/' yaml-1.yaml >cli.yaml; grantor apply cli.yaml`,
    names: {
      'gd_…': `$(curl --cacert data/tls/ca.pem $ISSUER/device_authorization -d client_id=demo-device -d scope=openid | member device_code)`,
    },
  },
  'docs/perform.md': {
    at: 'server',
    before: `
printf %s ${secret} >secret.txt
token demo-service "$(secret_of demo-service)" orders:read >token.txt
cat >objects.yaml <<END
resources: [{ identifier: 'https://invoices.example.com', name: Invoices }]
scopes: [{ name: invoices:read, description: See invoices, resource: 'https://invoices.example.com' }]
clients:
  - { client_id: reports, client_secret: ${secret}, grant_types: [client_credentials], scope: invoices:read }
  - { client_id: my-app, application_type: native, token_endpoint_auth_method: none, redirect_uris: ['http://127.0.0.1/callback'], scope: openid invoices:read }
  - { client_id: tv, token_endpoint_auth_method: none, grant_types: ['urn:ietf:params:oauth:grant-type:device_code'], scope: openid }
  - { client_id: till, client_secret: ${secret}, grant_types: ['urn:openid:params:grant-type:ciba'], backchannel_token_delivery_mode: poll, scope: openid }
  - client_id: gateway
    client_secret: ${secret}
    grant_types: ['urn:ietf:params:oauth:grant-type:token-exchange']
    exchange: [{ audience: 'https://invoices.example.com', scopes: [invoices:read], as: delegate }]
END
grantor apply objects.yaml`,
  },
  'docs/registration.md': { at: 'server' },
  'docs/resource-toolkit.md': {
    at: 'server',
    before: `
cp yaml-1.yaml notes.yaml
cp ts-1.ts notes.ts
ln -s "$MODULES" node_modules
export PORT=$(free_port)`,
    names: { 'http://localhost:3000/': 'http://localhost:$PORT/' },
  },
  'docs/scim.md': { at: 'server' },
  'docs/shared-signals.md': {
    at: 'server',
    before:
      'grantor provider create corp --set kind=oidc --set name=Corp --set issuer=https://login.example.com --set client_id=us',
    names: { ID: '$(grantor stream list --json | member id)' },
  },
  'docs/strong-clients.md': {
    at: 'server',
    before: `
ln -s "$MODULES" node_modules
CLIENT_ID=pushing
CHALLENGE=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM
CLIENT_SECRET=$(grantor client create pushing --redirect-uri https://client.example/cb --scope openid --json | member client_secret)`,
  },
  'docs/token-exchange.md': {
    at: 'server',
    before: `${serviceToken}
SECRET=${secret}
grantor apply yaml-1.yaml`,
  },
  'docs/workload-identity.md': {
    at: 'server',
    before: `
cat >sign.js <<'END'
const { generateKeyPairSync, sign } = require('node:crypto')
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
const [now, fs] = [Math.floor(Date.now() / 1000), require('node:fs')]
for (const [file, iss, claims] of [
  ['github', 'https://token.actions.githubusercontent.com', { sub: 'repo:acme/shop:ref', repository_owner: 'acme' }],
  ['cluster', 'https://oidc.eks.eu-central-1.amazonaws.com/id/EXAMPLE', { sub: 'system:serviceaccount:shop:web' }],
]) {
  const head = part({ alg: 'ES256', kid: '1' })
  const signed = head + '.' + part({ iss, aud: process.env.ISSUER, iat: now, exp: now + 300, ...claims })
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  fs.writeFileSync(file, signed + '.' + signature.toString('base64url'))
}
console.log(JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1', alg: 'ES256' }] }))
END
KEYS=$("$NODE" sign.js)
TOKEN=$(cat github)
cat >objects.yaml <<END
resources: [{ identifier: 'https://packages.example.com', name: Packages }]
scopes: [{ name: packages:write, description: Publish packages, resource: 'https://packages.example.com' }]
END
sed "s|^  - issuer: .*|&\\n    jwks: $KEYS|" yaml-1.yaml >issuer-1.yaml
sed "s|^  - issuer: .*|&\\n    jwks: $KEYS|" yaml-4.yaml >issuer-2.yaml
sed 's|:jwt-bearer]|:jwt-bearer, client_credentials]|' yaml-2.yaml >builder.yaml
for client in deployer batch; do
  grantor client create $client --token-endpoint-auth-method federated_jwt --grant-type urn:ietf:params:oauth:grant-type:jwt-bearer
done
for file in objects builder issuer-1 issuer-2; do grantor apply $file.yaml; done`,
    names: { '/var/run/secrets/grantor/token': 'cluster' },
  },
  'docs/gateway.md': {
    at: 'server',
    before: `
cp yaml-1.yaml gateway.yaml
cp data/tls/ca.pem ca.pem
printf a-secret-of-32-or-more-characters-long >gateway.secret
grantor apply yaml-2.yaml`,
  },
}
