import { strings } from "@/shared/words/strings";

export function Logo({ size = 28 }: { size?: number }) {
  return (
    <span
      style={{
        display: "inline-flex",
        alignItems: "center",
        gap: size / 3,
        fontWeight: 680,
        fontSize: size * 0.62,
        letterSpacing: "-0.01em",
      }}
    >
      <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden>
        <rect width="32" height="32" rx="8" fill="#12455f" />
        <path
          d="M6.5 24h6v-6h6v-6h7"
          fill="none"
          stroke="#8fd0c4"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
        <path
          d="m17 23.2 2.8 2.8 5.7-6"
          fill="none"
          stroke="#fff"
          strokeWidth="3"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {strings.product}
    </span>
  );
}
