/** PostgreSQL keeps every character but NUL. */
export const isStorable = (text: string): boolean => !text.includes('\0')
