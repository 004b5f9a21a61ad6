import { expect, it } from 'vitest'
import { isNews } from './is-news.ts'

it.for([
  { fileId: 12, shownIds: [11, 10, 9], news: true, why: 'a later upload' },
  { fileId: 10, shownIds: [11, 10, 9], news: false, why: 'one that is shown' },
  { fileId: 3, shownIds: [11, 10, 9], news: false, why: 'one of a later page' },
  { fileId: 3, shownIds: [], news: true, why: 'the first of all' },
])('$why: $news', ({ fileId, shownIds, news }) => expect(isNews(fileId, shownIds)).toBe(news))
