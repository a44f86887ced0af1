const greetings = { en: 'Hello' };

export const greet = (language = 'en') => `${greetings[language] ?? greetings.en}, visitor.`;

if (import.meta.filename === process.argv[1]) console.log(greet(process.argv[2]));
