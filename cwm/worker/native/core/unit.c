/* The one file that is compiled: the contract, the model and the search, as one program. CORE_HAS_... say which
optional functions the model defines (`tokens.py` looks); a checked build watches for undefined behaviour. */

#include "native.h"
#if CORE_HAS_AT_ONCE
#include "native_at_once.h"
#endif
#include "failure.c"
#include "random.c"
#include "text.c"
#include "limits.c"
#if CORE_CHECKED
#include "sanitizer.c"
#endif

#include "model.c"

#include "play.c"
#include "uct.c"
#if CORE_HAS_RESAMPLE
#include "ismcts.c"
#endif
#include "columns.c"
#include "games.c"
#include "interface.c"
#if CORE_HAS_AT_ONCE
#include "words.c"
#include "table.c"
#include "smcts.c"
#include "interface_at_once.c"
#endif
