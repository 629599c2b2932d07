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
  // §5.4: a code in the address fills the field and nothing more; whoever is here compares, and presses the button.
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

/** A browser that has no name yet gets one with the page, so that the form can be told from a forged one. */
function showDeviceEntry(request: PageRequest, error: DeviceCodeError | null): FastifyReply {
  const { browser, visit, reply } = request
  const cookies = browser.nameBrowser(visit.visitor)
  visit.setCookies(reply, cookies)
  const typed = visit.form.get('user_code') ?? ''
  const code = parseUserCode(typed)
  const data = {
    form: visit.formTarget(devicePage, purpose, cookies.browser),
    // What was typed comes back to be corrected; what a link brought comes only if it is a code.
    userCode: code === null ? (error === null ? '' : typed.slice(0, 32)) : showUserCode(code),
    prefilled: error === null && code !== null,
    error,
  }
  const answer = error === null ? {} : { status: 400, wait: error.kind === 'throttled' ? error.seconds : null }
  return showPage(request, deviceEntryPage(withUserCode(visit.repeatablePageContext(), data.userCode), data), answer)
}

/** The code that a link brought stays when somebody changes the language. */
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
