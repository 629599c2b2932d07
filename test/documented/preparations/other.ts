/** The pages about people, tenants, and running a server. */
import { join } from 'node:path'
import { type Preparation, shownId } from './preparation.ts'

/** A hash of the form; nobody signs in with it. */
const bcrypt = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'
const realm = `echo '{"realm":"shop","users":[{"username":"ada","enabled":true,"realmRoles":["customer"]}],"roles":{"realm":[{"name":"customer"}]}}' >realm.json`
const ada = `ID=$(grantor user create ada --json | member sub)`

export const otherPages: Readonly<Record<string, Preparation>> = {
  'docs/branding.md': { at: 'folder', before: 'grantor tenant create acme --name Acme' },
  'docs/deploy.md': {
    at: 'folder',
    before: `mkdir -p deploy/compose; printf %s "$DATABASE" >database-url`,
    names: { '/run/secrets/database-url': '$PWD/database-url', '/etc/grantor/grantor.yaml': '$PWD/grantor-2.yaml' },
  },
  'docs/groups-and-roles.md': {
    at: 'folder',
    before: `
sed '/^roles:/,$d' yaml-1.yaml >objects.yaml
grantor apply objects.yaml
${ada}`,
    names: { [shownId]: '$ID', '0192f0c4-0000-7c3d-8e4f-5a6b7c8d9e10': '$(grantor group list --json | member id)' },
  },
  'docs/high-availability.md': {
    at: 'folder',
    before: 'set -o allexport',
    after: 'GRANTOR_MASTER_KEY=$(openssl rand -base64 32) grantor config check',
  },
  'docs/import.md': {
    at: 'folder',
    before: `
${realm}
echo '{"user_id":"auth0|5f7c","email":"cyd@example.com","username":"cyd"}' >users.json
echo '{"_id":{"$oid":"5f7c"},"email":"cyd@example.com","passwordHash":"${bcrypt}"}' >hashes.json
echo 'roles: []' >tenant.yaml
printf 'username,name\\ndan,Dan\\n' >people.csv
grantor tenant create acme --name Acme`,
  },
  'docs/migrate-from-auth0.md': {
    at: 'folder',
    before: `
cp txt-1.txt users.json
cp yaml-1.yaml web.yaml
for id in 5f7c00fe82 60a100fe99; do echo '{"_id":{"$oid":"'$id'"},"passwordHash":"${bcrypt}"}'; done >hashes.json
cat >tenant.yaml <<END
resourceServers:
  - { identifier: 'https://api.shop.example', name: Shop, enforce_policies: true, scopes: [{ value: 'read:orders' }, { value: 'write:orders' }] }
roles:
  - name: clerk
    permissions:
      - { permission_name: 'read:orders', resource_server_identifier: 'https://api.shop.example' }
      - { permission_name: 'write:orders', resource_server_identifier: 'https://api.shop.example' }
connections:
  - { name: google-oauth2, strategy: google-oauth2, options: { client_id: shop, client_secret: secret-at-google } }
  - { name: corp, strategy: samlp, options: {} }
clients: [{ name: Web shop }]
END
# What the page shows is what is printed.
grantor import auth0 users.json --hashes hashes.json --configuration tenant.yaml --plan | diff - txt-2.txt`,
    names: { '5f7c…fe82': '5f7c00fe82', '60a1…fe99': '60a100fe99', 'MRFG…': 'MRFGOVTMJFRFGZ2NM5FXKTTRPJLUKVTC' },
  },
  'docs/migrate-from-keycloak.md': {
    at: 'folder',
    before: `cp ${join(import.meta.dirname, 'shop-realm.json')} realm.json`,
  },
  'docs/sign-in.md': {
    at: 'folder',
    before: `
echo '{"user_id":"1","username":"alice","mfa_factors":[{"totp":{"secret":"MRFGOVTMJFRFGZ2NM5FXKTTRPJLUKVTC"}}]}' >users.json
grantor import auth0 users.json`,
  },
  'docs/sign-up.md': {
    at: 'folder',
    before: `
grantor tenant create acme --name Acme
echo password >words.txt
cat >objects.yaml <<END
resources: [{ identifier: 'https://api.example', name: Invoices }]
scopes: [{ name: invoices:read, description: See invoices, resource: 'https://api.example' }]
roles: [{ name: reader, resource: 'https://api.example', scopes: [invoices:read] }]
groups: [{ name: Bookkeeping, roles: [] }]
END
grantor apply objects.yaml
export GRANTOR_MAIL_SMTP=smtp://127.0.0.1:25 GRANTOR_MAIL_FROM=login@example.com`,
    names: { [shownId]: '$(grantor user invitations --json | member id)' },
  },
  'docs/upgrade.md': { at: 'folder', before: 'grantor client list' },
  'docs/operations.md': {
    at: 'folder',
    names: { '/mnt/elsewhere': '$PWD', 'head-2026-11-15.json': 'head-$(date +%F).json' },
  },
  'docs/webhooks.md': {
    at: 'folder',
    names: {
      ID: '$(grantor webhook list --json | member id)',
      // Of a test that was sent before: nothing has happened here yet.
      EVENT: '$(grantor webhook test $(grantor webhook list --json | member id) --json | member id)',
    },
  },
}
