/** /account/data: downloads all data about a person as a file, and deletes the account. */
import type { DeletionOutcome } from '@grantor/authority'
import { accountEndedPage, ownDataPage, type OwnDataData } from '../../pages/account/data.ts'
import { accountForm } from './account-form.ts'
import { type AccountRequest, accountRoute } from '../account.ts'
import { showPage } from '../page-answer.ts'

export const ownData = accountRoute({
  section: 'data',
  show: (request) => showData(request, null),
  async act(request) {
    const { browser, visit, account, reply } = request
    const outcome = await browser.account.requestDeletion(account, visit.form.get('password') ?? '', visit.visitor)
    if (outcome.did !== 'requested') return showData(request, errors[outcome.did])
    // Other accounts stay signed in here.
    visit.setCookies(reply, { sessions: visit.visitor.sessions.filter((it) => it !== account.secret) })
    const data = { dueAt: outcome.dueAt, signIn: `${visit.base}/account` }
    return showPage(request, accountEndedPage(visit.leavingPageContext(), data))
  },
})

const errors: Readonly<Record<Exclude<DeletionOutcome['did'], 'requested'>, NonNullable<OwnDataData['error']>>> = {
  wrong: 'wrong',
  stale: 'stale',
  last_owner: 'lastOwner',
  outrun: 'outrun',
}

async function showData(request: AccountRequest, error: OwnDataData['error']) {
  const { browser, visit, account, pageContext } = request
  const page = ownDataPage(pageContext, {
    form: accountForm(request, '/account/data'),
    downloadHref: `${visit.base}/account/data/download`,
    dueAt: browser.account.deletionDue(),
    hasPassword: await browser.account.hasPassword(account),
    error,
  })
  return showPage(request, page, { status: error === null ? 200 : 400 })
}

export const downloadData = accountRoute({
  section: 'data',
  below: '/download',
  async show({ browser, account, reply, responder }) {
    const document = await browser.account.data(account)
    return responder.send(reply, 200, JSON.stringify(document, null, 2), {
      'content-type': 'application/json',
      'content-disposition': 'attachment; filename="my-data.json"',
      'cache-control': 'no-store',
    })
  },
})
