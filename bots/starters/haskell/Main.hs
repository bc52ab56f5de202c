-- | A first bot: it plays any game. It picks one of the legal moves at random.
--
-- To make it your own, change `choose`. The manual, protocol.md, explains the messages.
module Main (main) where

import System.IO

-- | The state of a generator of random numbers. The same seed gives the same numbers in the starters of all
-- languages.
type Dice = Integer

newDice :: Integer -> Dice
newDice seed = if seed `mod` 2147483647 == 0 then 1 else seed `mod` 2147483647

-- | A random number from 0 to count - 1, and the next state.
below :: Int -> Dice -> (Int, Dice)
below count dice = (fromInteger (next `mod` toInteger count), next)
  where
    next = dice * 48271 `mod` 2147483647

-- | Picks one of the legal moves. Put your own ideas here.
choose :: [String] -> Dice -> (String, Dice)
choose moves dice = (moves !! index, next)
  where
    (index, next) = below (length moves) dice

-- | Sends a line. Without the flush the line stays in a buffer, and the harness does not get it.
say :: String -> IO ()
say line = putStrLn line >> hFlush stdout

-- | Reads a line and goes on; at the end of the input the bot ends.
withLine :: (String -> IO ()) -> IO ()
withLine next = do
  ended <- isEOF
  if ended then return () else getLine >>= next

play :: Dice -> IO ()
play dice = withLine $ \line ->
  case words line of
    -- Speak version 1, and ask for the legal moves with each question.
    "hello" : _ -> say "hello 1 legal" >> play dice
    ["new", _, _, _, seed] -> say "ready" >> play (newDice (read seed)) -- new MATCH SEAT SEATS SEED
    ["legal", _, count] -> answer (read count) [] dice -- legal all COUNT, then the moves and the question
    ["bye"] -> return ()
    _ -> play dice -- All other lines are events of the match. This bot ignores them.

-- | Reads the lines "move ..." that are left, then the question, and answers it.
answer :: Int -> [String] -> Dice -> IO ()
answer left moves dice
  | left > 0 = withLine $ \line -> answer (left - 1) (drop (length "move ") line : moves) dice
  | otherwise = withLine $ \_ -> do -- Skip the question: a listed move is a complete answer.
      let (move, next) = choose (reverse moves) dice
      say move
      play next

main :: IO ()
main = play (newDice 1)
