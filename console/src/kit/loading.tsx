import { Skeleton } from 'antd'

/** A placeholder while something loads; without antd's title, which is an empty heading to a screen reader. */
export const Loading = () => <Skeleton active paragraph={{ rows: 8 }} title={false} className="loading" />
