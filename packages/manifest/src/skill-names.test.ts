import { expect, test } from 'vitest';
import { bucketName, imageName, pathBase, repositoryName, skillNames } from './skill-names.js';

test.each([
  ['ghcr.io/team/review:v1', 'review'],
  ['registry/x:v1@sha256:0123', 'x'],
  ['localhost:5000/x', 'x'],
  ['localhost:5000/team/x@sha256:0123', 'x'],
  ['review', 'review'],
  ['team/review/', 'review'],
  ['', '.'],
])('the image %j is called %j', (ref, name) => {
  expect(imageName(ref)).toBe(name);
});

test.each([
  ['https://example.com/o/r.git', 'r'],
  ['https://example.com/o/r.git?ref=m#s', 'r'],
  ['https://example.com/o/r', 'r'],
  ['https://example.com/o/r.git/', 'r.git'],
  ['ssh://git@example.com:22/o/r.git', 'r'],
  ['git@example.com:o/r.git', 'r'],
  ['../local/r.git', 'r'],
  ['https://example.com/o/a%20b.git', 'a b'],
  ['https://example.com/o/50%.git', '50%'],
  ['', ''],
])('the repository %j is called %j', (url, name) => {
  expect(repositoryName(url)).toBe(name);
});

test.each([
  ['s3://bucket/skills/review.tar.gz', 'review'],
  ['s3://bucket/skills/review.TGZ', 'review'],
  ['s3://bucket/skills/review.zip/', 'review'],
  ['s3://bucket/skills/review/', 'review'],
  ['', ''],
])('the bucket path %j is called %j', (uri, name) => {
  expect(bucketName(uri)).toBe(name);
});

test.each([
  ['', '.'],
  ['/', '/'],
  ['///', '/'],
  ['a/b//', 'b'],
  ['/a', 'a'],
])('the base of %j is %j', (path, base) => {
  expect(pathBase(path)).toBe(base);
});

test('images, then git references, then buckets; a given name wins, then the path, then the URL', () => {
  expect(
    skillNames({
      s3Refs: [{ uri: 's3://b/c.zip' }, { name: ' named ' }, {}],
      gitRefs: [
        { url: 'https://h/o/r.git', name: ' given ', path: 'p/q' },
        { url: 'https://h/o/r.git', path: ' p/q ' },
        { url: 'https://h/o/r.git', name: ' ' },
        { url: '' },
      ],
      refs: ['reg/a:1', 'reg/a:2'],
    }).map(({ name, path, start }) => [name, path.join('.'), start]),
  ).toEqual([
    ['a', 'skills.refs.0', 4],
    ['a', 'skills.refs.1', 4],
    ['given', 'skills.gitRefs.0.name', 1],
    ['q', 'skills.gitRefs.1.path', 3],
    ['r', 'skills.gitRefs.2.url', 12],
    ['c', 'skills.s3Refs.0.uri', 7],
    ['named', 'skills.s3Refs.1.name', 1],
  ]);
});

test.each([
  ['git.git', 'git', 0],
  ['https://h/o/git.git?ref=x/git', 'git', 12],
  ['https://h/o/a%20b', 'a b', 0],
])('in %j the name %j begins at %i', (url, name, start) => {
  expect(skillNames({ gitRefs: [{ url }] })).toMatchObject([{ name, start }]);
});
