/** The doors to the account pages: signing in, and signing in once more before something weighty is changed. */
import type { SecondFactorQuestion, SignInOutcome } from '@grantor/authority'
import type { FastifyReply } from 'fastify'
import { sectionPaths } from '../pages/account/layout.ts'
import { passkeyField } from '../pages/components/passkey.ts'
import { type LoginError, loginPage } from '../pages/login.ts'
import { type SecondFactorError, secondFactorPage } from '../pages/second-factor.ts'
import type { Route } from '../routes/route.ts'
import { type Counter, goTo, showError, showPage } from './page-answer.ts'
import { errorOf, factorAnswer, factorData, statusOf } from './second-factor-data.ts'
import { keepLanguage, type Visit, visitOf } from './visit.ts'

/** What the forms of the account pages are for: a token of theirs is good for no other form. */
export const purpose = 'account'

interface Door {
  readonly path: '/account/enter' | '/account/confirm'
  /** Where a trusted browser must show the second factor, too. */
  readonly confirming: boolean
  onward(visit: Visit): string
}

const entrance: Door = {
  path: '/account/enter',
  confirming: false,
  // Whoever came by the link of a check goes on with it.
  onward: ({ base, links }) => `${base}/account${links.address === null ? '' : sectionPaths.address}`,
}
const confirmation: Door = {
  path: '/account/confirm',
  confirming: true,
  onward: ({ base }) => `${base}/account${sectionPaths.methods}`,
}
export const confirmPath = confirmation.path

interface Scene extends Counter {
  readonly visit: Visit
  readonly door: Door
}

/** A browser that has no name yet gets one with the page, so that the form can be told from a forged one. */
async function askAt({ responder, reply, visit, door }: Scene, error: LoginError | null): Promise<FastifyReply> {
  const { browser } = responder.authority
  const keep = browser.nameBrowser(visit.visitor)
  visit.keep(reply, keep)
  const visitor = { ...visit.visitor, browser: keep.browser ?? visit.visitor.browser }
  const options = await browser.accountSignIn.passkeyQuestion(visitor)
  const target = (path: string) => visit.target(path, purpose, keep.browser)
  const known = door.confirming ? (await browser.accounts(visit.visitor)).at(-1)?.person.username : undefined
  const data = {
    form: target(door.path),
    client: null,
    username: visit.form.get('username') ?? known ?? '',
    again: door.confirming,
    error,
    passkey: options === null ? null : { form: target(`${door.path}/passkey`), options },
  }
  return showPage({ responder, reply }, loginPage(visit.pageContext(), data), { status: statusOf(error) })
}

export const askToSignIn = (at: Counter, visit: Visit): Promise<FastifyReply> =>
  askAt({ ...at, visit, door: entrance }, null)

/** A form of ours at one of the doors; what is not sent is shown. */
const doorRoute = (
  { path, door }: { readonly path: string; readonly door: Door },
  show: (scene: Scene) => Promise<FastifyReply> | FastifyReply,
  act: (scene: Scene) => Promise<FastifyReply>,
): Route => ({
  path,
  methods: ['GET', 'POST'],
  cors: false,
  at: 'every issuer',
  handler: (responder) => async (request, reply) => {
    const read = visitOf(request, responder)
    if (read.kind === 'error') return showError({ responder, reply }, read.error)
    const visit = read.value
    keepLanguage(reply, visit)
    const scene = { responder, reply, visit, door }
    if (request.method !== 'POST') return show(scene)
    const forged = visit.forged(purpose)
    return forged === null ? act(scene) : showError(scene, forged)
  },
})

/** Inside, at the second step, or at the login page with what went wrong. */
function arrived(scene: Scene, outcome: SignInOutcome): Promise<FastifyReply> | FastifyReply {
  const { reply, visit, door } = scene
  if (!('cookies' in outcome)) return askAt(scene, errorOf(outcome))
  visit.keep(reply, outcome.cookies)
  return goTo(
    scene,
    outcome.did === 'second-factor-pending' ? `${visit.base}${door.path}/second-factor` : door.onward(visit),
  )
}

async function secondStep(scene: Scene, error: SecondFactorError | null): Promise<FastifyReply> {
  const question = await scene.responder.authority.browser.accountSignIn.pendingSecondFactor(scene.visit.visitor)
  return question === null ? toLogin(scene) : showSecondStep(scene, question, error)
}

function showSecondStep(scene: Scene, question: SecondFactorQuestion, error: SecondFactorError | null): FastifyReply {
  const { visit, door } = scene
  const form = visit.target(`${door.path}/second-factor`, purpose)
  const data = factorData(question, { form, error })
  return showPage(scene, secondFactorPage(visit.pageContext(), data), { status: statusOf(error) })
}

const toLogin = (scene: Scene): FastifyReply =>
  goTo(scene, `${scene.visit.base}${scene.door.confirming ? scene.door.path : '/account'}`)

const routesOf = (door: Door): readonly Route[] => [
  doorRoute(
    { path: door.path, door },
    // The address of a refused sign-in, opened anew.
    (scene) => (door.confirming ? askAt(scene, null) : toLogin(scene)),
    async (scene) => {
      const { form, visitor } = scene.visit
      const by = { username: form.get('username') ?? '', password: form.get('password') ?? '' }
      const { accountSignIn: entry } = scene.responder.authority.browser
      return arrived(scene, await entry.byPassword({ ...by, confirming: door.confirming }, visitor))
    },
  ),
  doorRoute({ path: `${door.path}/passkey`, door }, toLogin, async (scene) => {
    const text = scene.visit.form.get(passkeyField) ?? ''
    return arrived(scene, await scene.responder.authority.browser.accountSignIn.byPasskey(text, scene.visit.visitor))
  }),
  doorRoute(
    { path: `${door.path}/second-factor`, door },
    (scene) => secondStep(scene, null),
    async (scene) => {
      const { form, visitor } = scene.visit
      const { accountSignIn: entry } = scene.responder.authority.browser
      if (form.get('start-over') !== undefined) {
        scene.visit.keep(scene.reply, entry.startOver(visitor))
        return toLogin(scene)
      }
      const outcome = await entry.bySecondFactor(factorAnswer(form), visitor)
      return 'cookies' in outcome ? arrived(scene, outcome) : secondStep(scene, errorOf(outcome))
    },
  ),
]

export const doors: readonly Route[] = [...routesOf(entrance), ...routesOf(confirmation)]
