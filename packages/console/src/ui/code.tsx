/** Text to be read or taken by machines: code blocks, and secrets that are shown once. */
import { useState } from 'react'
import { frame } from '../messages/frame.ts'
import { Button, IconButton } from './button.tsx'
import { useSay } from './preferences.tsx'

function useCopy(text: string): readonly [copied: boolean, copy: () => void] {
  const [copied, setCopied] = useState(false)
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), 2000)
    })
  }
  return [copied, copy]
}

export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  const say = useSay()
  const [copied, copy] = useCopy(text)
  return (
    <div className="code">
      <Button size="small" icon={copied ? 'check' : 'copy'} onClick={copy} aria-label={`${say(frame.copy)}: ${label}`}>
        {say(copied ? frame.copied : frame.copy)}
      </Button>
      <pre tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
    </div>
  )
}

export function Copyable({ text, label }: { readonly text: string; readonly label: string }) {
  const say = useSay()
  const [copied, copy] = useCopy(text)
  return (
    <div className="secret">
      <code className="clip" title={text}>
        {text}
      </code>
      <IconButton
        icon={copied ? 'check' : 'copy'}
        label={`${say(copied ? frame.copied : frame.copy)}: ${label}`}
        onClick={copy}
      />
    </div>
  )
}
