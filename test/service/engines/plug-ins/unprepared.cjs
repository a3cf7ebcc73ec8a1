/** An engine whose `prepare` fails. */
const voice = {
  id: 'unprepared',
  name: 'Unprepared',
  description: '',
  age: 'elder',
  gender: 'male',
  useCases: [],
  languages: ['en'],
  pitch: 100,
  isNatural: false,
};

exports.engine = {
  id: 'unprepared',
  voices: [voice],
  prepare: () => Promise.reject(new Error('no model file')),
  start: () => Promise.resolve({}),
};
