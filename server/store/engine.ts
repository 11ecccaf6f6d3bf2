export type Engine = 'sqlite' | 'postgres' | 'mysql'
