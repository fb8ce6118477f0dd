/* Starts a processor without a C library, and reports the result to the host (semihosting). */
#include "proof.h"

extern uint32_t _stack, _data, _data_end, _data_load, _bss, _bss_end;

#ifdef __riscv
static int semihost(int operation, const void *argument) {
  register int a0 __asm__("a0") = operation;
  register const void *a1 __asm__("a1") = argument;
  /* These three, in one page, are a call of the host. */
  __asm__ volatile(".option push\n.option norvc\n.balign 16\nslli x0, x0, 0x1f\nebreak\nsrai x0, x0, 7\n.option pop"
                   : "+r"(a0)
                   : "r"(a1)
                   : "memory");
  return a0;
}
#else
static int semihost(int operation, const void *argument) {
  register int r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}
#endif

void say(const char *words);
void say(const char *words) { semihost(4, words); }

void main_(void);

__attribute__((noreturn)) void reset(void);
__attribute__((noreturn)) void reset(void) {
  uint32_t *from = &_data_load;
  for (uint32_t *to = &_data; to < &_data_end;) *to++ = *from++;
  for (uint32_t *to = &_bss; to < &_bss_end;) *to++ = 0;
  main_();
  semihost(0x18, (const void *)0x20026);
  for (;;) {
  }
}

static __attribute__((noreturn, aligned(4))) void failed(void) {
  say("fault\n");
  semihost(0x18, (const void *)0x20023);
  for (;;) {
  }
}

#ifdef __riscv
/* The first instructions. */
__attribute__((section(".vectors"), used, naked)) void first(void);
__attribute__((section(".vectors"), used, naked)) void first(void) {
  __asm__ volatile(".option arch, +zicsr\nla sp, _stack\nla t0, %0\ncsrw mtvec, t0\nj %1" : : "i"(failed), "i"(reset));
}
#else
__attribute__((section(".vectors"), used)) static void *const vectors[16] = {
    &_stack, (void *)reset, (void *)failed, (void *)failed, (void *)failed, (void *)failed, (void *)failed,
    (void *)failed, (void *)failed, (void *)failed, (void *)failed, (void *)failed, (void *)failed, (void *)failed,
    (void *)failed, (void *)failed};
#endif
