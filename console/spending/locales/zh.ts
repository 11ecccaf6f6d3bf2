export default {
  'five-hours': '每 5 小时',
  day: '每天',
  help: '留空为不限。进行中的调用所预留的额度计入已用。',
  left: '{period}剩余 {left} / {amount}',
  month: '每月',
  none: '总共',
  spent: '已用 {spent}',
  title: '消费上限',
  until: '{time} 恢复',
  week: '每周',
  wrong: '必须是不小于 0 的整数！',
}
