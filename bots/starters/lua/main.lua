-- A first bot: it plays any game. It picks one of the legal moves at random.
--
-- To make it your own, change choose. The manual, protocol.md, explains the messages.

-- Makes random numbers. The same seed gives the same numbers in the starters of all languages.
local dice = 1

local function seed_dice(seed)
  dice = seed % 2147483647
  if dice == 0 then dice = 1 end
end

local function below(count) -- a random number from 0 to count - 1
  dice = dice * 48271 % 2147483647
  return dice % count
end

-- Picks one of the legal moves. Put your own ideas here.
local function choose(moves)
  return moves[below(#moves) + 1]
end

-- Sends a line. Without the flush the line stays in a buffer, and the harness does not get it.
local function say(line)
  io.write(line, "\n")
  io.flush()
end

-- The next line. The end of the input ends the bot.
local function read()
  return io.read("l") or os.exit()
end

while true do
  local line = read()
  local word = line:match("%S+")
  if word == "hello" then
    say("hello 1 legal") -- Speak version 1, and ask for the legal moves with each question.
  elseif word == "new" then -- new MATCH SEAT SEATS SEED
    seed_dice(tonumber(line:match("%d+$")))
    say("ready")
  elseif word == "legal" then -- legal all COUNT, then COUNT lines "move ...", then the question
    local moves = {}
    for index = 1, tonumber(line:match("%d+$")) do
      moves[index] = read():gsub("^move ", "")
    end
    read() -- Skip the question: a listed move is a complete answer.
    say(choose(moves))
  elseif word == "bye" then
    break
  end -- All other lines are events of the match. This bot ignores them.
end
