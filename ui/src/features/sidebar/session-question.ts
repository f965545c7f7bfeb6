/** What the person is asked about a session before it changes. */
export type SessionQuestion = 'rename' | 'remove';
