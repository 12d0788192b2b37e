import { address, api } from './api.js';
import { take } from './notices.js';
import { text } from './texts.js';

const home = 'Home';
/** By rooms: name, serial number, value in dollars, quantity and tags of each thing. */
const things = {
  'Living room': ['Sofa,,899,1,', 'Floor lamp,FL-0082,64.90,2,', 'Television,TV-55-90210,740,1,insured', 'Globe,GL-1962,85.50,1,'],
  Kitchen: ['Espresso machine,EM-1189,429,1,insured', 'Kettle,KT-20,39.95,1,', 'Forks,,3.25,12,cutlery', 'Bread knife,,24,1,cutlery'],
  Study: ['Desk,,380,1,', 'Laptop,LT-2025-7731,1649,1,insured', 'Notebooks,,6.50,5,', 'Printer,PR-400-12,129,1,'],
};

/** Adds a home with rooms and things to a list, as one change. */
export async function loadDemo(listId) {
  const lines = Object.entries(things).flatMap(([room, each]) => each.map((thing) => `${thing},${home} / ${room}`));
  const table = new Blob([['name,serialNumber,valueInDollars,quantity,tags,Location', ...lines].join('\n')]);
  const path = address(`/v1/lists/${listId}/rows.csv`, { locations: 'rooms' });
  const { receipt } = await api.upload(path, table, { type: 'text/csv' });
  await take(receipt, text('added', { name: home }));
}
