/** One walk through a flow: its secrets, its answers, and sending the next request. */
import * as oauth from 'oauth4webapi'
import { useEffect, useState } from 'react'
import { type PlaygroundInput, type StepName, steps, type Walk } from './flows.ts'
import { sendPlain } from './http.ts'

interface Secrets {
  readonly verifier: string
  readonly challenge: string
  readonly state: string
}

async function newSecrets(): Promise<Secrets> {
  const verifier = oauth.generateRandomCodeVerifier()
  return {
    verifier,
    challenge: await oauth.calculatePKCECodeChallenge(verifier),
    state: oauth.generateRandomState(),
  }
}

export interface WalkControl {
  readonly walk: Walk
  readonly busy: StepName | null
  /** The step whose request got no answer at all. */
  readonly outage: StepName | null
  setBack(back: string): void
  send(step: StepName): Promise<void>
  beginAgain(): void
}

const begun = { back: '', answers: {} as Walk['answers'] }
const unknown: Secrets = { verifier: '', challenge: '', state: '' }

export function useWalk(issuer: string, input: PlaygroundInput): WalkControl {
  const [secrets, setSecrets] = useState(unknown)
  const [course, setCourse] = useState(begun)
  const [busy, setBusy] = useState<StepName | null>(null)
  const [outage, setOutage] = useState<StepName | null>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    let left = false
    void newSecrets().then((made) => (left ? undefined : setSecrets(made)))
    return () => {
      left = true
    }
  }, [round])
  const walk: Walk = { issuer, input, ...secrets, ...course }
  return {
    walk,
    busy,
    outage,
    setBack: (back) => setCourse((before) => ({ ...before, back })),
    async send(step) {
      const request = steps[step].request?.(walk) ?? null
      if (request === null) return
      setBusy(step)
      setOutage(null)
      try {
        const answer = await sendPlain(request)
        setCourse((before) => ({ ...before, answers: { ...before.answers, [step]: answer } }))
      } catch {
        setOutage(step)
      } finally {
        setBusy(null)
      }
    },
    beginAgain() {
      setCourse(begun)
      setOutage(null)
      setRound((before) => before + 1)
    },
  }
}
