/** What is typed is at hand at once, and asked for after a pause: the address of the page need not follow every letter. */
import { useEffect, useRef, useState } from 'react'
import { isEqual } from '../api/merge.ts'

/** Milliseconds: long enough that a word is typed, short enough that nobody waits for it. */
const pause = 250

/** `value` is what was asked for, or what somebody else has made of it: that is taken over, unless more was typed since. */
export function useTyped<T>(
  value: T,
  ask: (typed: T) => void,
  isSame: (one: T, other: T) => boolean = isEqual,
): readonly [T, (typed: T) => void] {
  const [typed, setTyped] = useState(value)
  const asked = useRef(value)
  const seen = useRef(value)
  const asker = useRef(ask)
  useEffect(() => {
    asker.current = ask
    // What was asked for is not there at once.
    if (isSame(value, seen.current)) return
    seen.current = value
    if (isSame(value, asked.current)) return
    if (isSame(typed, asked.current)) setTyped(value)
    asked.current = value
  }, [value, typed, ask, isSame])
  useEffect(() => {
    if (isSame(typed, asked.current)) return undefined
    const timer = setTimeout(() => {
      asked.current = typed
      asker.current(typed)
    }, pause)
    return () => clearTimeout(timer)
  }, [typed, isSame])
  return [typed, setTyped]
}
