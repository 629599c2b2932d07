/** /account/profile: a person changes what is known of them. */
import { type Profile, profileFields } from '@grantor/authority'
import { profilePage, type ProfileData } from '../../pages/account/profile.ts'
import { accountForm } from './account-form.ts'
import { type AccountRequest, accountRoute } from '../account.ts'
import { showPage } from '../page-answer.ts'

export const profile = accountRoute({
  section: 'profile',
  show: (request) => showProfile(request, request.browser.account.profile(request.account), null),
  async act(request) {
    const { browser, visit, account } = request
    const typed = Object.fromEntries(profileFields.map((name) => [name, visit.form.get(name) ?? ''])) as Profile
    const outcome = await browser.account.changeProfile(account, typed, visit.visitor)
    if (outcome === 'saved') return 'profile_saved'
    return showProfile(request, typed, outcome === 'outrun' ? 'name' : outcome.wrong)
  },
})

function showProfile(request: AccountRequest, shown: Profile, wrong: ProfileData['wrong']) {
  const form = accountForm(request, '/account/profile')
  const page = profilePage(request.pageContext, { form, profile: shown, wrong })
  return showPage(request, page, { status: wrong === null ? 200 : 400 })
}
