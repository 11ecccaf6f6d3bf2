export default {
  'five-hours': 'In five hours',
  day: 'A day',
  help: 'Blank for no limit. What calls under way have set aside counts as spent.',
  left: '{period}: {left} of {amount} left',
  month: 'A month',
  none: 'In all',
  spent: '{spent} spent',
  title: 'Spending limits',
  until: 'renews {time}',
  week: 'A week',
  wrong: 'Must be a whole number, 0 or more',
}
