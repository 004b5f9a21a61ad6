/**
 * Whether a JSON text is probably a Frictionless Table Schema, valid or not (alone, in a data resource or in
 * a data package), and not a list of fields in the portal's form. False for text that is not JSON.
 */
export function isTableSchema(json: string): boolean {
  const content = parse(json)
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return false
  if ('$schema' in content || 'schema' in content || 'resources' in content) return true
  const fields: unknown[] = 'fields' in content && Array.isArray(content.fields) ? content.fields : []
  return (
    fields.length > 0 &&
    !fields.some((field) => typeof field === 'object' && field !== null && 'itemName' in field)
  )
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json.replace(/^\uFEFF/, ''))
  } catch {
    return null
  }
}
