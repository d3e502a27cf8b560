/* What a checked build calls where behaviour is undefined, in place of the compiler's own run-time library:
the place is noted, and the call that led there has failed. The names and the place at the start of the data
are those of LLVM's ubsan_handlers.h, which GCC shares. */

typedef struct {
    const char *file;
    uint32_t line, column;
} core_Place;

static void core_undefined(const core_Place *place, const char *what) {
    core_failure.file = place->file;
    core_failure.line = (int32_t)place->line;
    core_failure.what = what;
    core_fail(CORE_UNDEFINED, 0.0);
}

#define CORE_HANDLER(name, what) \
    void __ubsan_handle_##name(const core_Place *place) { core_undefined(place, what); }

CORE_HANDLER(add_overflow_abort, "a sum overflows")
CORE_HANDLER(sub_overflow_abort, "a difference overflows")
CORE_HANDLER(mul_overflow_abort, "a product overflows")
CORE_HANDLER(negate_overflow_abort, "a negation overflows")
CORE_HANDLER(divrem_overflow_abort, "a division by zero, or one that overflows")
CORE_HANDLER(shift_out_of_bounds_abort, "a shift by too much, by a negative number, or of one")
CORE_HANDLER(out_of_bounds_abort, "an index outside its array")
CORE_HANDLER(local_out_of_bounds_abort, "an access outside its variable")
CORE_HANDLER(type_mismatch_v1_abort, "an access through a null, misaligned or too short pointer")
CORE_HANDLER(alignment_assumption_abort, "a misaligned pointer")
CORE_HANDLER(pointer_overflow_abort, "pointer arithmetic that leaves its object")
CORE_HANDLER(vla_bound_not_positive_abort, "an array of no positive length")
CORE_HANDLER(float_cast_overflow_abort, "a floating-point number too large for an integer")
CORE_HANDLER(load_invalid_value_abort, "a value that its type does not have, such as a bool of 2")
CORE_HANDLER(invalid_builtin_abort, "a builtin called with 0")
CORE_HANDLER(nonnull_arg_abort, "a null pointer as an argument")
CORE_HANDLER(function_type_mismatch_abort, "a call through a pointer of another type")
CORE_HANDLER(builtin_unreachable, "code that must not be reached")
CORE_HANDLER(missing_return, "the end of a function without a return")
