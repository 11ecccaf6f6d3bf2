export default {
  headline: '一个接口，接入所有模型',
  lead: '{name} 将多家服务商的模型汇集到一个地址，预付额度、按量计费，每一笔费用都可逐项核对。',
  console: '进入控制台',
  firstCall: '第一次调用',
  copySnippet: '复制示例代码',
  address: '接口地址',
  copyAddress: '复制接口地址',
  billing: '计费公式',
  billingLead: '每一笔费用都由这样一行算式得出，按整数额度结算。',
  notSetUp: '系统尚未初始化，请先创建超级管理员账户。',
}
