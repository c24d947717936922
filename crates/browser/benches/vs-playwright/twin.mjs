// Playwright's side of the benchmark: does on request what main.rs does, and answers with the
// milliseconds of each time. One JSON line in, one JSON line out; ends with its standard input.

import { createInterface } from 'node:readline';
import { chromium } from 'playwright';
import { expect } from 'playwright/test';

const [executablePath, address] = process.argv.slice(2);
// The small build has one mode only, and refuses to be told.
const mode = executablePath.includes('headless') ? [] : ['--headless=new'];
const args = [...mode, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
const browser = await chromium.launch({ executablePath, args, headless: true });

const shown = async (path) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  await page.goto(address + path);
  return page;
};

const pages = { snapshot: await shown('transcript'), form: await shown('form') };
const { form } = pages;

const jobs = {
  snapshot: () => pages.snapshot.locator('body').ariaSnapshot(),
  click: () => form.getByRole('button', { name: 'Send', exact: true }).click(),
  fill: (time) => form.getByLabel('Message').fill(`message ${time}`),
  type: () => form.getByLabel('Typed').pressSequentially('twenty-four characters..'),
  text: () => expect(form.getByTestId('status')).toHaveText('ready'),
  context: async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    const page = await context.newPage();
    await page.goto(address + 'form');
    await context.close();
  },
};

console.log(JSON.stringify({ ready: browser.version() }));
for await (const line of createInterface({ input: process.stdin })) {
  const { job, times } = JSON.parse(line);
  const taken = [];
  for (let time = 0; time < times; time++) {
    const start = performance.now();
    await jobs[job](time);
    taken.push(performance.now() - start);
  }
  console.log(JSON.stringify(taken));
}
await browser.close();
