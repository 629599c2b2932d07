/** The section "Requests" of the account: requests of apps by the back channel (CIBA), and the code for them. */
import { requestsPage } from '../../pages/account/requests.ts'
import { scopeField } from '../../pages/components/scopes.ts'
import { accountForm } from '../own-account/account-form.ts'
import { type AccountRequest, accountRoute } from '../account.ts'
import { consentData } from '../consent-data.ts'
import { goTo, showError, showPage } from '../page-answer.ts'

export const requests = accountRoute({
  section: 'requests',
  before: (request) => (request.browser.servesBackchannel ? null : showError(request, { reason: 'not_found' })),
  show: (request) => showRequests(request, null),
  async act(request) {
    const { browser, visit, account, reply } = request
    const { requests: waiting } = browser.account
    const { form, visitor } = visit
    const code = form.get('remove-user-code') === undefined ? form.get('user_code') : null
    if (code !== undefined) {
      const outcome = await waiting.setUserCode(code, account, visitor)
      if (outcome === 'malformed') return showRequests(request, outcome)
      return code === null ? 'user_code_removed' : 'user_code_saved'
    }
    const reference = form.get('request') ?? ''
    const allow = form.get('allow') !== undefined
    if (!allow && form.get('deny') === undefined) return 'request_gone'
    const asked = (await waiting.list(account, visitor)).find((request) => request.reference === reference)
    const optional = [...(asked?.question.question.optional ?? [])]
    const ticked = new Set(optional.filter((name) => form.get(scopeField(name)) !== undefined))
    const answered = await waiting.answer({ reference, allow, ticked }, account, visitor)
    if (answered === null) return 'request_gone'
    visit.setCookies(reply, answered.cookies)
    return goTo(request, `${visit.base}/interact/${answered.interaction}`)
  },
})

async function showRequests(request: AccountRequest, error: 'malformed' | null) {
  const { browser, visit, account, pageContext } = request
  const waiting = await browser.account.requests.list(account, visit.visitor)
  const form = accountForm(request, '/account/requests')
  const links = { form, accountHref: `${visit.base}/account`, base: visit.base }
  const chosen = waiting.find(({ reference }) => reference === visit.form.get('request')) ?? waiting[0]
  const data = {
    form,
    request:
      chosen === undefined
        ? null
        : {
            ...consentData(chosen.question, pageContext, links),
            reference: chosen.reference,
            expiresAt: chosen.expiresAt,
          },
    others: waiting
      .filter((other) => other !== chosen)
      .map(({ reference, question: { client, device } }) => ({
        client: client.name,
        message: device?.backchannel?.bindingMessage ?? null,
        askedAt: device?.askedAt ?? 0,
        href: `${visit.base}/account/requests?request=${encodeURIComponent(reference)}`,
      })),
    hasUserCode: await browser.account.requests.hasUserCode(account),
    error,
    now: Date.now(),
  }
  return showPage(request, requestsPage(pageContext, data), { status: error === null ? 200 : 400 })
}
