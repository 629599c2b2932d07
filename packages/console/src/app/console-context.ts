/** What every page of the console may use: the session, the API in its name, and where it stands. */
import { createContext, use } from 'react'
import { type AdminApi, openAdminApi } from '../api/client.ts'
import { ReceiptLinks } from '../api/receipts.ts'
import type { Place } from './place.ts'
import type { Session } from './session/session.ts'

export interface ConsoleContext {
  readonly place: Place
  readonly session: Session
  readonly api: AdminApi
  readonly receiptLinks: Pick<ReceiptLinks, 'subscribe'>
}

export function consoleContext(place: Place, session: Session): ConsoleContext {
  const api = openAdminApi(place.issuer, session.fetch)
  const receiptLinks = new ReceiptLinks()
  api.use(receiptLinks.middleware)
  return { place, session, api, receiptLinks }
}

export const ConsoleContext = createContext<ConsoleContext | null>(null)

export function useConsole(): ConsoleContext {
  const context = use(ConsoleContext)
  if (context === null) throw new Error('outside of the console')
  return context
}
