/** A note for each revocation made here: who has stopped it, followed until nobody is waited for. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followReceipt } from '../../api/receipts.ts'
import { receipts } from '../../messages/receipts.ts'
import { usePreferences, useSay } from '../../ui/preferences.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { useConsole } from '../console-context.ts'
import { receiptPhrases } from './sentence.ts'

export function ReceiptNotes() {
  const { api, receiptLinks, session } = useConsole()
  const say = useSay()
  const { language } = usePreferences()
  const { follow } = useToasts()
  const queries = useQueryClient()
  // As the API says it: whoever may revoke may see what came of it.
  const mayRead = ['admin:events:read', 'admin:grants:write', 'admin:sessions:write'].some((it) => session.may(it))
  useEffect(() => {
    if (!mayRead) return
    return receiptLinks.subscribe((link) => {
      const gone = new AbortController()
      const note = follow(say(receipts.asking), () => gone.abort())
      const listen = async (): Promise<void> => {
        let wasFound = false
        for await (const receipt of followReceipt(api, link, gone.signal)) {
          const [title = '', ...rest] = receiptPhrases(receipt, say, language)
          // Two at once are told apart by what happened.
          note.say(title, [receipt.name, ...rest].join(' · '))
          wasFound = true
        }
        if (!wasFound) note.drop()
        else note.end()
        await queries.invalidateQueries({ queryKey: ['/v1/revocations'] })
      }
      // What was revoked is revoked; a receipt that cannot be had is in the log.
      listen().catch(() => note.drop())
    })
  }, [api, receiptLinks, say, language, follow, queries, mayRead])
  return null
}
