import { escapeHtml } from '#platform/escape-html.ts'

/**
 * Styles by start tag. They are written into the elements, because most mail programs ignore style sheets.
 */
const styles: Readonly<Record<string, string>> = {
  p: 'margin:0 0 16px;line-height:1.5',
  ul: 'margin:0 0 16px;padding-left:20px',
  li: 'margin:0 0 6px;line-height:1.5',
  th:
    'text-align:left;vertical-align:top;padding:6px 16px 6px 0;color:#6b6b6b;font-weight:normal;' +
    'white-space:nowrap',
  td: 'vertical-align:top;padding:6px 0;word-break:break-word',
  'table class="facts"': 'margin:0 0 16px;border-collapse:collapse;font-size:15px',
  'p class="action"': 'margin:24px 0 8px',
  'a class="button"':
    'display:inline-block;background:#8f1d22;color:#ffffff;text-decoration:none;padding:12px 24px;' +
    'border-radius:6px;font-weight:bold',
  'p class="address"': 'margin:0 0 16px;font-size:12px;color:#6b6b6b;word-break:break-all',
}

const styled = (html: string): string =>
  html.replace(/<(\w+)( class="\w+")?(?=[ >])/g, (tag, name: string, attribute = '') => {
    const style = styles[name + attribute]
    return style === undefined ? tag : `<${name} style="${style}"`
  })

const bodyStyle =
  "margin:0;padding:0;background:#f4f1f0;font-family:'Segoe UI',Helvetica,Arial,sans-serif;font-size:16px;" +
  'color:#222222'
const tableAttributes = 'role="presentation" width="100%" cellpadding="0" cellspacing="0"'
const cardAttributes = 'role="presentation" width="600" cellpadding="0" cellspacing="0"'
const cardStyle = 'width:100%;max-width:600px;background:#ffffff;border-radius:8px;overflow:hidden'
const headStyle = 'background:#741519;padding:18px 32px;color:#ffffff;font-size:20px;font-weight:bold'
const footStyle = 'padding:16px 32px;border-top:1px solid #e6e0de;font-size:12px;color:#6b6b6b'

/**
 * A page that old mail programs show correctly as well: one column of tables, nothing loaded. See
 * docs/adr/0012-mail-styles.md.
 */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(title)}</title>
</head>
<body style="${bodyStyle}">
<table ${tableAttributes} style="background:#f4f1f0">
<tr><td align="center" style="padding:32px 16px">
<table ${cardAttributes} style="${cardStyle}">
<tr><td style="${headStyle}">Veridict</td></tr>
<tr><td style="padding:32px">
${styled(body)}
</td></tr>
<tr><td style="${footStyle}">This e-mail was sent automatically.</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}
