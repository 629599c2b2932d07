/** A logo as it would be shown: from our own origin, or drawn from the bytes of a file that is not sent yet. */
import { useEffect, useRef } from 'react'
import { useConsole } from '../../app/console-context.ts'

export function LogoPicture({ logo }: { readonly logo: string }) {
  const { place } = useConsole()
  if (logo === '') return null
  if (logo.startsWith('data:')) return <DrawnLogo logo={logo} />
  return <img src={new URL(logo, place.issuer).href} alt="" />
}

/** Pages of ours load pictures from our origin alone; bytes that are here already are drawn without loading. */
function DrawnLogo({ logo }: { readonly logo: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    let isOver = false
    void draw(logo, () => (isOver ? null : canvas.current))
    return () => {
      isOver = true
    }
  }, [logo])
  return <canvas ref={canvas} width={0} height={0} />
}

async function draw(logo: string, target: () => HTMLCanvasElement | null): Promise<void> {
  const [head = '', base64 = ''] = logo.split(',')
  try {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0)
    const picture = await createImageBitmap(new Blob([bytes], { type: head.slice(5).split(';')[0] ?? '' }))
    const canvas = target()
    if (canvas === null) return
    canvas.width = picture.width
    canvas.height = picture.height
    canvas.getContext('2d')?.drawImage(picture, 0, 0)
  } catch {
    // What is no picture is not shown; the server says so at the field.
  }
}
