/** 10000 as 10,000. Not by way of Intl, whose data would take seven megabytes of every server's memory. */
export const thousands = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');
