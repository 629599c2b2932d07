/** The five questions of `grantor init`: issuer, TLS, storage, mail, and the first administrator. */
import { firstOwner, passwordFormProblem, usualPasswords } from '@grantor/authority'
import { defaultIssuer, nameOf, type TlsEnd, tlsEndOf, usesPostgres, type WrittenSettings } from './init-settings.ts'

interface TextQuestion {
  readonly message: string
  /** The meaning of an empty answer, shown as placeholder. */
  readonly placeholder: string
  readonly otherwise?: string
  /** Whether the answer is hidden while it is typed. */
  readonly secret?: true
  problem?(answer: string): string | null
}

interface Choice<T extends string> {
  readonly value: T
  readonly label: string
  readonly hint: string
}

/** Asks a person; null when they cancel. */
export interface Interviewer {
  text(question: TextQuestion): Promise<string | null>
  choose<T extends string>(message: string, choices: readonly Choice<T>[], initial: T): Promise<T | null>
}

/** The problem of settings that were valid before the last answer. */
export type FindProblem = (settings: WrittenSettings) => string | null

type Answered = WrittenSettings | null

interface Interview {
  readonly ask: Interviewer
  /** The settings known so far. */
  readonly known: WrittenSettings
  readonly find: FindProblem
}
type Question = (interview: Interview) => Promise<Answered>

/** Skips questions that flags have answered. Null when the person cancels. */
export async function askQuestions(ask: Interviewer, given: WrittenSettings, find: FindProblem): Promise<Answered> {
  let known = given
  for (const question of questions) {
    const answered = await question({ ask, known, find })
    if (answered === null) return null
    known = { ...known, ...answered }
  }
  return known
}

const isGiven = (settings: WrittenSettings, name: string): boolean => name in settings || `${name}_file` in settings

/** Asks for one setting as text; an empty answer leaves it out. */
async function askSetting({ ask, known, find }: Interview, name: string, question: TextQuestion): Promise<Answered> {
  const problem = (answer: string) =>
    question.problem?.(answer) ?? (answer === '' ? null : find({ ...known, [name]: answer }))
  const answer = await ask.text({ ...question, problem })
  if (answer === null) return null
  return answer === '' ? {} : { [name]: answer }
}

const issuer: Question = async (interview) =>
  isGiven(interview.known, nameOf('issuer'))
    ? {}
    : askSetting(interview, nameOf('issuer'), {
        message: 'Under which address do people and clients reach it? (It is the issuer, and stays for good.)',
        placeholder: defaultIssuer,
        otherwise: defaultIssuer,
      })

const tlsEnds: readonly Choice<TlsEnd>[] = [
  { value: 'local', label: 'This server, with a certificate of its own making', hint: 'to try it on one machine' },
  { value: 'certificate', label: 'This server, with a certificate you have', hint: 'two PEM files' },
  { value: 'proxy', label: 'A proxy in front of it', hint: 'nginx, Caddy, Traefik, an ingress' },
]

const tls: Question = async (interview) => {
  const { ask, known } = interview
  if ([nameOf('tlsCert'), nameOf('trustProxy'), nameOf('tlsMode')].some((name) => isGiven(known, name))) return {}
  const end = await ask.choose('Who ends TLS?', tlsEnds, tlsEndOf(known))
  if (end === null) return null
  if (end === 'local') return { [nameOf('tlsMode')]: 'on' }
  if (end === 'proxy') {
    const question = { message: 'From which address does the proxy come?', placeholder: 'loopback' }
    return askSetting(interview, nameOf('trustProxy'), { ...question, otherwise: 'loopback' })
  }
  const cert = await ask.text({ message: 'The certificate chain (PEM)', placeholder: 'cert.pem', problem: missing })
  if (cert === null) return null
  const key = await ask.text({ message: 'Its private key (PEM)', placeholder: 'key.pem', problem: missing })
  return key === null ? null : { [nameOf('tlsCert')]: cert, [nameOf('tlsKey')]: key }
}

const missing = (answer: string): string | null => (answer === '' ? 'this cannot be left out here' : null)

const database: Question = async (interview) =>
  usesPostgres(interview.known)
    ? {}
    : askSetting(interview, nameOf('databaseUrl'), {
        message: 'Where does it keep things? (A postgres:// address, or nothing for SQLite.)',
        placeholder: 'SQLite, beside the settings file',
      })

const mail: Question = async ({ ask, known, find }) => {
  if (isGiven(known, nameOf('mailSmtp'))) return {}
  const question = {
    message: 'How does it send mail? (smtp://user:password@host:587, or nothing.)',
    placeholder: 'without mail nobody can replace a forgotten password by themselves',
    secret: true,
  } as const
  // The sender is asked for next.
  const withSender: FindProblem = (settings) => find({ [nameOf('mailFrom')]: 'login@example.com', ...settings })
  const smtp = await askSetting({ ask, known, find: withSender }, nameOf('mailSmtp'), question)
  if (smtp === null || !(nameOf('mailSmtp') in smtp) || isGiven(known, nameOf('mailFrom'))) return smtp
  const sender = { message: 'From which address?', placeholder: 'Example <login@example.com>', problem: missing }
  const from = await askSetting({ ask, known: { ...known, ...smtp }, find }, nameOf('mailFrom'), sender)
  return from === null ? null : { ...smtp, ...from }
}

const administrator: Question = async (interview) =>
  isGiven(interview.known, nameOf('adminPassword'))
    ? {}
    : askSetting(interview, nameOf('adminPassword'), {
        message: `A password for the first administrator, ${firstOwner}?`,
        placeholder: 'nothing: one is made at the first start, good for one sign-in',
        secret: true,
        problem: (answer) =>
          answer !== '' && passwordFormProblem(answer, firstOwner, usualPasswords) !== null
            ? '8 characters or more, and not its name'
            : null,
      })

const questions: readonly Question[] = [issuer, tls, database, mail, administrator]
