/** Opens the authority over its ports. */
import { defaultTenant, type TenantId } from '@grantor/protocol/types'
import { openAdmin } from './admin/open-admin.ts'
import { openBrowser } from './browser.ts'
import { deviceAuthorization } from './tokens/device-authorization.ts'
import { openDirectory } from './directory.ts'
import { openDocuments } from './documents.ts'
import type { Authority } from './admin/admin.ts'
import { openFeed } from './feed/feed.ts'
import type { Hands } from './hands.ts'
import { introspect } from './tokens/introspect.ts'
import { openKeyring } from './keys/keyring.ts'
import { openLogos } from './clients/logos.ts'
import { openLogoutDelivery } from './background/logout-delivery.ts'
import { openMailDelivery } from './background/mail-delivery.ts'
import { DevicePollTimes } from './tokens/device-poll-times.ts'
import { readRegistration, removeRegistration, replaceRegistration } from './clients/manage-registration.ts'
import type { Ports } from './ports/ports.ts'
import { register } from './clients/register.ts'
import { revoke } from './tokens/revoke.ts'
import { token } from './tokens/token.ts'
import { beginUpkeep, type Upkeep } from './background/upkeep.ts'
import { userinfo } from './tokens/userinfo.ts'

export function openAuthority(ports: Ports): Authority {
  const directory = openDirectory(ports.store)
  const keyring = openKeyring(ports)
  const hands: Hands = {
    ...ports,
    directory,
    keyring,
    logos: openLogos(ports, directory),
    devicePollTimes: new DevicePollTimes(),
  }
  const documents = openDocuments(hands)
  const feed = openFeed(hands)
  const mailDelivery = ports.mail === null ? null : openMailDelivery(ports.mail, hands)
  const logoutDelivery = openLogoutDelivery(hands)
  let upkeep: Upkeep | null = null
  let warming: Promise<unknown> = Promise.resolve()
  return {
    token: (request) => token(request, hands),
    deviceAuthorization: (request) => deviceAuthorization(request, hands),
    introspect: (request) => introspect(request, hands),
    revoke: (request) => revoke(request, hands),
    register: (request) => register(request, hands),
    registration: {
      read: (request) => readRegistration(request, hands),
      replace: (request) => replaceRegistration(request, hands),
      remove: (request) => removeRegistration(request, hands),
    },
    ...documents,
    logo: (tenant, clientId) => hands.logos.find(tenant, clientId),
    userinfo: (token, origin) => userinfo(token, origin, hands),
    browser: openBrowser(hands, mailDelivery),
    feed,
    admin: openAdmin(hands),
    async begin() {
      const catalogue = await directory.catalogue(defaultTenant as TenantId)
      // The first key of the deployment is made before the first request, not by it.
      if (catalogue !== null) await keyring.signer(catalogue, 'ES256')
      directory.forget(defaultTenant as TenantId)
      // Nobody waits for the RSA key, but from now on the key set is there whatever becomes of the database.
      warming = documents.keySet(defaultTenant as TenantId)
      upkeep = beginUpkeep(hands)
      logoutDelivery.begin()
      await mailDelivery?.begin()
    },
    async close() {
      await warming
      await upkeep?.close()
      await logoutDelivery.close()
      await mailDelivery?.close()
      await feed.close()
      directory.close()
    },
  }
}
