/** The HTML form of a mail: one column, inline styles because mail programs drop others, dark where supported. */
import { contrast, parseColour } from '@grantor/protocol/branding'
import { dangerouslyTrustedMarkup, type Html, html, nothing } from '../../pages/html.ts'
import { baseColours } from '../../pages/theme/theme.ts'
import type { MailContent, MailStyle } from './content.ts'

const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const { light, dark } = baseColours

/** For mail programs that support style sheets. It contains nothing from outside. */
const sheet = dangerouslyTrustedMarkup(`<style>
  @media (prefers-color-scheme: dark) {
    .page { background: #0e1413 !important }
    .card { background: ${dark.surface} !important }
    .ink { color: ${dark.ink} !important }
    .muted { color: ${dark.muted} !important }
    .line { border-color: #2b3633 !important }
  }
</style>`)

export function mailHtml(content: MailContent, style: MailStyle): string {
  const { language, text, names, facts, link } = content
  return html`<!doctype html>
    <html lang="${language.tag}" dir="${language.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${content.subject}</title>
        ${sheet}
      </head>
      <body class="page" style="margin:0;padding:0;background:#f3f5f2">
        <div role="main">
          <table
            role="presentation"
            class="page"
            width="100%"
            cellpadding="0"
            cellspacing="0"
            style="background:#f3f5f2"
          >
            <tr>
              <td align="center" style="padding:32px 16px">
                <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
                  <tr>
                    <td
                      class="muted"
                      style="${font};font-size:15px;font-weight:600;color:${light.muted};padding:0 4px 14px"
                    >
                      ${style.name}
                    </td>
                  </tr>
                  <tr>
                    <td class="card" style="background:${light.surface};border-radius:14px;padding:32px 28px">
                      <h1 class="ink" style="${font};font-size:22px;line-height:1.3;margin:0 0 14px;color:${light.ink}">
                        ${text.title}
                      </h1>
                      ${paragraph(text.lead(names))} ${link === null ? nothing : button(content, { link, style })}
                      ${facts.length === 0 ? nothing : table(facts)} ${paragraph(text.notYou)}
                      ${content.accountHref === null ? nothing : accountLink(content, content.accountHref, style)}
                    </td>
                  </tr>
                  <tr>
                    <td
                      class="muted"
                      style="${font};font-size:13px;line-height:1.5;color:${light.muted};padding:18px 4px 0"
                    >
                      ${content.footer}
                    </td>
                  </tr>
                </table>
              </td>
            </tr>
          </table>
        </div>
      </body>
    </html> `.text
}

const paragraph = (text: string): Html =>
  html`<p class="ink" style="${font};font-size:16px;line-height:1.55;margin:0 0 18px;color:${light.ink}">${text}</p>`

function button(
  { text, messages }: MailContent,
  { link, style }: { readonly link: string; readonly style: MailStyle },
): Html {
  const shape = 'display:inline-block;padding:13px 22px;border-radius:10px;font-weight:600;text-decoration:none'
  return html`<p style="margin:0 0 18px">
      <a href="${link}" style="${font};font-size:16px;${shape};background:${style.accent};color:${inkOn(style.accent)}"
        >${text.button}</a
      >
    </p>
    <p class="muted" style="${font};font-size:14px;line-height:1.5;margin:0 0 18px;color:${light.muted}">
      ${text.linkNote}<br />${messages.orOpen}<br />
      <a href="${link}" class="muted" style="color:${light.muted};word-break:break-all">${link}</a>
    </p>`
}

const table = (facts: MailContent['facts']): Html => {
  const cell = `${font};font-size:15px;line-height:1.4;padding:9px 12px 9px 0;border-top:1px solid #dde3df;vertical-align:top`
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 20px">
    ${facts.map(
      ([term, value]) =>
        html`<tr>
          <td class="muted line" style="${cell};color:${light.muted};width:90px">${term}</td>
          <td class="ink line" style="${cell};color:${light.ink};word-break:break-word">${value}</td>
        </tr>`,
    )}
  </table>`
}

const accountLink = ({ messages }: MailContent, accountHref: string, style: MailStyle): Html =>
  html`<p style="${font};font-size:16px;margin:0">
    <a class="ink" href="${accountHref}" style="color:${style.accent};font-weight:600">${messages.yourAccount}</a>
  </p>`

/** Text colour on the accent, whose contrast was checked only against the page. */
function inkOn(accent: string): string {
  const colour = parseColour(accent) ?? [0, 0, 0]
  return contrast(colour, [255, 255, 255]) >= contrast(colour, [0, 0, 0]) ? '#ffffff' : '#000000'
}
