/** GET and POST /device (RFC 8628 §3.3): a person types the code their device shows, and the hub goes on. */
import { devicePage, parseUserCode, showUserCode } from '@grantor/protocol/device'
import type { FastifyReply } from 'fastify'
import { type DeviceCodeError, deviceEntryPage } from '../pages/device.ts'
import type { PageContext } from '../pages/layout.ts'
import { goTo, showError, showPage } from './page-answer.ts'
import { type PageRequest, pageRoute } from './page-route.ts'
import { rememberLanguage } from './visit.ts'

const purpose = 'device'

export const device = pageRoute({ path: devicePage, methods: ['GET', 'POST'] }, async (request) => {
  const { browser, visit, reply, method } = request
  if (!browser.servesDevices) return showError(request, { reason: 'not_found' })
  const catalogue = await browser.catalogue(visit.visitor)
  if (catalogue === null || catalogue.tenant.disabledAt !== null)
    return showError(request, { reason: 'tenant_unknown' })
  rememberLanguage(reply, visit)
  // §5.4: a code in the URL only fills in the field; the person must compare it and press the button.
  if (method !== 'POST') return showDeviceEntry(request, null)
  const forged = visit.forged(purpose)
  if (forged !== null) return showError(request, forged)
  const entered = await browser.enterUserCode(visit.form.get('user_code') ?? '', visit.visitor)
  switch (entered.did) {
    case 'entered':
      visit.setCookies(reply, entered.cookies)
      return goTo(request, `${visit.base}/interact/${entered.interaction}`)
    case 'throttled':
      return showDeviceEntry(request, { kind: 'throttled', seconds: entered.seconds })
    case 'malformed':
    case 'unknown':
      return showDeviceEntry(request, { kind: entered.did })
  }
})

/** A browser without a secret of its own gets one with the page, on which the form's CSRF token depends. */
function showDeviceEntry(request: PageRequest, error: DeviceCodeError | null): FastifyReply {
  const { browser, visit, reply } = request
  const cookies = browser.nameBrowser(visit.visitor)
  visit.setCookies(reply, cookies)
  const typed = visit.form.get('user_code') ?? ''
  const code = parseUserCode(typed)
  const data = {
    form: visit.formTarget(devicePage, purpose, cookies.browser),
    // A typed code is shown again to be corrected; one from a link is shown only if it is well formed.
    userCode: code === null ? (error === null ? '' : typed.slice(0, 32)) : showUserCode(code),
    prefilled: error === null && code !== null,
    error,
  }
  const answer = error === null ? {} : { status: 400, wait: error.kind === 'throttled' ? error.seconds : null }
  return showPage(request, deviceEntryPage(withUserCode(visit.repeatablePageContext(), data.userCode), data), answer)
}

/** Keeps the code of a link when the person changes the language. */
const withUserCode = (pageContext: PageContext, userCode: string): PageContext =>
  userCode === ''
    ? pageContext
    : {
        ...pageContext,
        languageLinks: pageContext.languageLinks.map(({ tag, href }) => ({
          tag,
          href: `${href}&user_code=${userCode}`,
        })),
      }
