const ACCENTS = /[\u0300-\u036f]/g
/** Texts as they are compared. */
export const foldedCase = (text: string): string => text.normalize('NFC').toLowerCase()
export const foldedAccents = (text: string): string =>
  text.normalize('NFKD').replace(ACCENTS, '').toLowerCase().replaceAll('ß', 'ss')
/** Letters and digits alone: Follow-up, follow_up and "Follow up" are one. */
export const foldedMarks = (text: string): string =>
  foldedAccents(text.replaceAll('&', ' and ')).replace(/[\s_\-./,;:'"()\u2010-\u2015\u2018\u2019]/g, '')
