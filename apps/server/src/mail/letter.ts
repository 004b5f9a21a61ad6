/** What a letter says; who gets it and how is not its business. The subject is one line without control characters. */
export type Letter = { subject: string; text: string; html: string }
